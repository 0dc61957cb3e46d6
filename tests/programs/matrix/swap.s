# swap: weights stay active without it, a released buffer is zero, ragged rows need no padding.
# x[r][k] = 1 everywhere, so acc[r][j] = the sum of column j of the active weights.
# expect: a0 = LANES
# expect: a1 = LANES
# expect: a2 = 3 * 8
# expect: a3 = 3 * 8
# expect: a4 = 0
# expect: a5 = 5 * 8
# expect: a6 = 3 * 8
# expect: a7 = 8 * 3

        .include "common.inc"
        { sa: s4 = mov 0x01010101 ; sb: s5 = mov 0x03030303 }
        { va: v1 = vmov s4 ; vb: v2 = vmov s5 ; sa: s6 = mov 0x05050505 }
        { va: v3 = vmov s6 }
        push_all v1, b0
        { mx: mxmul.s8 a0, v1.b0, swap }
        { mx: mxpush 0, v2.b0 }                         # the other rows are zero since the swap
        { mx: mxmul.s8 a1, v1.b0 }                      # still the first weights
        { mx: mxmul.s8 a2, v1.b0, swap }
        { mx: mxmul.s8 a3, v1.b0 }
        { mx: mxmul.s8 a4, v1.b0, swap }                # nothing was pushed: zeros
        { mx: mxpush LANES - 8, v2.b1 }
        { mx: mxpush LANES - 8, v3.b2 }                 # the later push wins
        { mx: mxmul.s8 a5, v1.b0, swap }
        { mx: mxpush 0, v2.b3 }
        { mx: mxmul.s8 a6, v1.b0, swap }
        { mx: mxmul.s8 a7, v2.b0, swap }                # reads the buffer zeroed by the swap before
        { mx: mxpush 0, v1.b0 }
        { mx: mxmul.s8 a7, v2.b0, swap }
        halt
