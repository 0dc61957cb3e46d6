# The result of an accumulator read right after the multiply, used at once by each unit that takes a vector, and one bundle later.
# expect: v30 = 3
# expect: v40 = 3
# expect: vmem[64 + r] = 3
# expect: a0 = 3 * LANES
# expect: v20 = 3
# expect: v50 = 3
# expect: v31 = 3
# expect: v41 = 3
# expect: vmem[72 + r] = 3
# expect: a1 = 3 * LANES
# expect: v21 = 3
# expect: v51 = 3
# expect: m1 = 0

        { va: v60 = vmov s0 ; vb: v61 = vlane ; sa: s1 = mov 1 ; sb: s2 = mov 2 }
        { va: v1 = vmov s1 ; sa: s3 = mov 3 }
        .rept   LANES / 8, i
        mxpush  8 * \i, v1.b0
        .endr
        { mx: mxmul.s8 a9, v1.b0, swap }
        { va: v3 = vsublane ; sb: p1 = eq s0, 1 }
        { va: v4 = vlane }
        { va: m7 = veq.s32 v4, s0 }
        { va: v2 = vsel m7, s3, s0 }            # 3 in lane 0, times ones

        .macro  produce
        { mx: mxmul.s8 a8, v2.b0 }
        { mx: v10 = mxread a8 }
        .endm
        .include "v_consumers.inc"
        halt
