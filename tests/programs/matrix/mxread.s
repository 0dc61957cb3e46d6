# mxread: accumulators by constant and scalar, right after the multiply, predicates.
# expect: v2 = 5 * (r + j % 8)
# expect: v3 = 5 * (r + j % 8)
# expect: v4 = 5 * (r + j % 8)
# expect: v5 = 9
# expect: v6 = 5 * (r + j % 8)
# expect: v7 = 7 + 5 * (r + j % 8)

        .include "common.inc"
        push_diagonal 5, b0
        { sa: s4 = mov 7 ; sb: s5 = mov -1 }
        { va: v1 = vand v60, s4 ; sa: s6 = mov 9 }
        { va: v1 = vadd.s32 v1, v61 ; vb: v5 = vmov s6 ; sb: s7 = mov 40 }
        { mx: mxmul.s8 a0, v1.b0, swap }
        { mx: v2 = mxread a0 }
        { mx: mxmul.s8 a63, v1.b0 }
        { mx: v3 = mxread a[s5 + 64] }
        { mx: v4 = mxread a[s7 + 23] }
        { mx: @p1 v5 = mxread a0 }
        { mx: @!p1 v6 = mxread a63 }
        { mx: v7 = mxread a0 }
        { va: v7 = vadd.s32 v7, s4 }                    # right after the read
        halt
