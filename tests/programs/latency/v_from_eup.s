# The result of the EUP, used at once by each unit that takes a vector, and one bundle later.
# expect: v30 = 1.0
# expect: v40 = 1.0
# expect: vmem[64 + r] = 1.0
# expect: a0 = 0 * LANES
# expect: v20 = 1.0
# expect: v50 = 0
# expect: v31 = 1.0
# expect: v41 = 1.0
# expect: vmem[72 + r] = 1.0
# expect: a1 = 0 * LANES
# expect: v21 = 1.0
# expect: v51 = 0
# expect: m1 = 0

        { va: v60 = vmov s0 ; vb: v61 = vlane ; sa: s1 = mov 1 ; sb: s2 = mov 2 }
        { va: v1 = vmov s1 ; sa: s3 = mov 3 }
        .rept   LANES / 8, i
        mxpush  8 * \i, v1.b0
        .endr
        { mx: mxmul.s8 a9, v1.b0, swap }
        v2 = vmov s0

        .macro  produce
        { xu: v10 = exp2 v2 }
        .endm
        .include "v_consumers.inc"
        halt
