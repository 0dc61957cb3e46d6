# Empty bundles do nothing; nor do bundles with every slot predicated off.
# expect: s1 = 1
# expect: s2 = 0
# expect: v1 = 0
# expect: m1 = 0
# expect: p2 = 0
# expect: p3 = 0
# expect: f1 = 0
# expect: smem[0] = 0
# expect: vmem[0] = 0
# expect: a0 = 0

        { va: v1 = vmov s0 ; sa: s1 = mov 1 }
        {}
        { st: vst [0], v1, rows=1 }
        .rept   LANES / 8, i
        mxpush  8 * \i, v1.b0
        .endr
        { mx: mxmul.s8 a0, v1.b0, swap }
        {}
        { va: v2 = vlane ; vb: v3 = vsublane }
        { sa: @p1 trap 1 ; sb: @p1 s2 = sld [0] ; va: @p1 v1 = vmov v2 ; vb: @p1 m1 = mor m0, m0 ; ld: @p1 v4 = vld [0]
        ; st: @p1 vst [0], v2 ; mx: @p1 mxmul.s8 a0, v2.b0 ; xu: @p1 v5 = exp2 v1 ; dma: @p1 wait f1, 5 }
        { sa: @!p0 halt ; sb: @!p0 sst [0], s1 ; va: @!p0 v1 = vmov v2 ; vb: @!p0 s2 = mpop m0 ; ld: @!p0 v4 = vldc [0]
        ; st: @!p0 vst [0], v2 ; mx: @!p0 mxpush 0, v2.b0 ; xu: @!p0 s1 = extract v2, 5 ; dma: @!p0 fadd f1, 5 }
        { sa: @p1 p2 = eq s0, 0 ; sb: @!p0 p3 = eq s0, 0 }
        {}
        halt
