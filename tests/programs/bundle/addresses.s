# Addresses and masks are those from before the bundle that changes them.
# expect: v1 = 8 + r
# expect: v2 = (j & 1) == 1 ? 8 + r : 0
# expect: vmem[32 + r] = r
# expect: vmem[40 + r] = (j & 1) == 1 ? r : 0
# expect: vmem[0 + r] = r
# expect: a8 = LANES
# expect: v3 = LANES
# expect: v4 = 8 % LANES
# expect: f1 = 8

        { va: v60 = vsublane ; vb: v61 = vlane ; sa: s1 = mov 8 ; sb: s2 = mov 1 }
        { va: v62 = vadd.s32 v60, s1 ; vb: v63 = vmov s2 ; st: vst [0], v60 }
        { va: v10 = vand v61, s2 ; vb: v11 = vmov s0 ; st: vst [8], v62 }
        { va: m1 = vne.s32 v10, s0 ; st: vst [40], v11 ; mx: mxpush 0, v63.b0 }
        .rept   LANES / 8 - 1, i
        mxpush  8 * \i + 8, v63.b0
        .endr
        { mx: mxmul.s8 a0, v63.b0, swap }
        { ld: v1 = vld [s1] ; sa: s1 = mov 24 }
        { st: vst [s1 + 8], v60 ; sb: s1 = mov 8 }
        { ld: v2 = vld [8], mask=m1 ; va: m1 = mand !m0, m0 }
        { va: m1 = vne.s32 v10, s0 }
        { st: vst [40], v60, mask=m1 ; vb: m1 = mor m0, m0 }
        { mx: mxmul.s8 a[s1], v63.b0 ; sa: s1 = mov 9 }
        { sa: s1 = mov 8 }
        { mx: v3 = mxread a[s1] ; sa: s1 = mov 0 }
        { sa: s1 = mov 8 }
        { xu: v4 = lbcast v61, s1 ; sa: s1 = mov 1 }
        { sa: s1 = mov 8 }
        { dma: fset f1, s1 ; sa: s1 = mov 1 }
        halt
