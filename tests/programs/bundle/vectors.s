# All slots read vectors and masks as they were before the bundle.
# expect: v1 = 2
# expect: v2 = 1
# expect: v3 = 2
# expect: v4 = 3.0
# expect: v5 = 2
# expect: v6 = 4
# expect: v7 = 1
# expect: m1 = 0
# expect: m2 = 1
# expect: vmem[8 + r] = 2
# expect: vmem[16 + r] = 3.0
# expect: a0 = 5 * LANES
# expect: a1 = 5 * LANES

        { sa: s1 = mov 1 ; sb: s2 = mov 2 }
        { va: v1 = vmov s1 ; vb: v2 = vmov s2 ; sa: s3 = mov 3.0 ; sb: s4 = mov 4 }
        { va: v1 = vmov v2 ; vb: v2 = vmov v1 ; sa: s5 = mov 5 }        # exchange
        { va: v4 = vmov s3 ; vb: m1 = mor m0, m0 }
        { va: m1 = mand m2, m2 ; vb: m2 = mand m1, m1 }                 # exchange
        { va: v3 = vsel m2, v1, v2 ; vb: m2 = mand !m0, m0 }            # the old mask
        { vb: m2 = mor m0, m0 ; st: vst [8], v1, mask=!m2 }             # the old mask: all
        { va: v4 = vmov s0 ; st: vst [16], v4 }                         # the old vector
        { va: v4 = vmov s3 ; xu: v5 = lmax.s32 v1 ; vb: v6 = vmov s4 }
        { va: v5 = vmov v1 ; vb: v7 = vmov v2 }
        { va: v8 = vmov s1 ; vb: v9 = vmov s5 }
        .rept   LANES / 8, i
        { mx: mxpush 8 * \i, v8.b0 ; va: v8 = vmov s0 }
        { va: v8 = vmov s1 }
        .endr
        { mx: mxmul.s8 a0, v9.b0, swap ; va: v9 = vmov s0 }
        { va: v9 = vmov s5 }
        { mx: mxmul.s8 a1, v9.b0 ; ld: v9 = vld [8] }
        halt
