# Every slot obeys the predicate as it was before the bundle that changes it.
# expect: s1 = 1
# expect: s2 = 2
# expect: s3 = 0
# expect: v1 = j
# expect: v2 = r
# expect: v3 = 5
# expect: v4 = 1.0
# expect: v5 = 0
# expect: vmem[8 + r] = 5
# expect: vmem[16 + r] = 0
# expect: a0 = LANES
# expect: a1 = LANES
# expect: f1 = 1
# expect: f2 = 0
# expect: p1 = 0

        { sa: s10 = mov 5 ; sb: s11 = mov 1 }
        { va: v10 = vmov s10 ; vb: v11 = vmov s0 }
        { va: v12 = vmov s11 ; vb: v5 = vmov s0 ; st: vst [16], v11 }
        .rept   LANES / 8, i
        mxpush  8 * \i, v12.b0
        .endr
        { mx: mxmul.s8 a0, v12.b0, swap ; st: vst [0], v10 ; sa: p1 = eq s0, s0 }
        { mx: mxmul.s8 a1, v12.b0 }
        { sa: p1 = ne s0, s0 ; sb: @p1 s2 = mov 2 ; va: @p1 v1 = vlane ; vb: @p1 v2 = vsublane ; ld: @p1 v3 = vld [0]
        ; st: @p1 vst [8], v10 ; mx: @p1 mxmul.s8 a0, v12.b0 ; xu: @p1 v4 = exp2 v11 ; dma: @p1 fadd f1, 1 }
        { sb: p1 = eq s0, s0 ; sa: @p1 s3 = mov 3 ; va: @p1 v1 = vmov s0 ; vb: @p1 v2 = vmov s0 ; ld: @p1 v3 = vld [8]
        ; st: @p1 vst [16], v10 ; mx: @p1 mxmul.s8 a1, v10.b0 ; xu: @p1 v5 = exp2 v11 ; dma: @p1 fadd f2, 1 }
        { sa: @p1 s1 = mov 1 ; sb: p1 = ne s0, s0 }
        halt
