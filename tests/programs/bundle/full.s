# A bundle with all nine slots, each with a result of its own, twice.
# expect: s1 = 11
# expect: s2 = 22
# expect: v1 = j
# expect: v2 = r
# expect: v3 = 5
# expect: v4 = 25 * LANES
# expect: v5 = 1.0
# expect: v6 = 0
# expect: s3 = 12
# expect: s4 = 44
# expect: vmem[8 + r] = 5
# expect: vmem[16 + r] = j
# expect: f1 = 3
# expect: a0 = 25 * LANES
# expect: v7 = 25 * LANES

        s10 = mov 5
        { va: v10 = vmov s10 ; vb: v11 = vmov s0 }
        .rept   LANES / 8, i
        mxpush  8 * \i, v10.b0
        .endr
        { st: vst [0], v10 ; mx: mxmul.s8 a0, v10.b0, swap }
        { sa: s1 = mov 11 ; sb: s2 = mov 22 ; va: v1 = vlane ; vb: v2 = vsublane ; ld: v3 = vld [0]
        ; st: vst [8], v10 ; mx: v4 = mxread a0 ; xu: v5 = exp2 v11 ; dma: fadd f1, 1 }
        { sa: s3 = add s1, 1 ; sb: s4 = add s2, s2 ; va: v6 = vsub.s32 v1, v1 ; vb: m1 = veq.s32 v2, v3 ; ld: v8 = vld [8]
        ; st: vst [16], v1 ; mx: v7 = mxread a0 ; xu: v9 = lmax.s32 v3 ; dma: fadd f1, 2 }
        halt
