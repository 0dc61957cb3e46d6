# mxmul.s8: every byte as activation, both signs, row counts, add, swap, predicates. Weights are
# byte 0 of 3 j - 100 in every row (k mod 8 = 0 only, else 0), so that acc = x[r][0 mod 8] sums.
# x[r][j] = bytes (r, -r, 127, -128) for j mod 8 = 0, else garbage that meets zero weights.
# expect: a0 = (3 * (j % 64) - 100) * r * (LANES / 8)
# expect: a1 = -(3 * (j % 64) - 100) * r * (LANES / 8)
# expect: a2 = (3 * (j % 64) - 100) * 127 * (LANES / 8)
# expect: a3 = -(3 * (j % 64) - 100) * 128 * (LANES / 8)
# expect: a4 = (3 * (j % 64) - 100) * (r < 5 ? 254 : 127) * (LANES / 8)
# expect: a5 = (3 * (j % 64) - 100) * 127 * (LANES / 8)
# expect: a6 = (3 * (j % 64) - 100) * 127 * (LANES / 8)
# expect: a7 = (3 * (j % 64) - 100) * 127 * (LANES / 8)
# expect: v2 = -(3 * (j % 64) - 100) * 128 * (LANES / 8)

        .include "common.inc"
        { sa: s4 = mov 63 ; sb: s5 = mov 3 }
        { va: v10 = vand v60, s4 ; sa: s4 = mov 100 }
        { va: v10 = vmul.s32 v10, s5 ; sa: s5 = mov 7 }
        { va: v10 = vsub.s32 v10, s4 ; vb: m1 = veq.s32 v61, s0 }
        { va: v10 = vsel m1, v10, s0 ; vb: v11 = vand v60, s5 ; sa: s6 = mov 127 ; sb: s7 = mov -128 }
        push_all v10, b0
        { va: m2 = veq.s32 v11, s0 ; vb: v12 = vsub.s32 s0, v61 }
        { va: v1 = vpack.s8 s0, v61, 0 ; sa: s8 = mov 0x12f3a4b5 }
        { va: v1 = vpack.s8 v1, v12, 1 }
        { va: v1 = vpack.s8 v1, s6, 2 }
        { va: v1 = vpack.s8 v1, s7, 3 }
        { va: v1 = vsel m2, v1, s8 }
        { mx: mxmul.s8 a0, v1.b0, swap }
        { mx: mxmul.s8 a1, v1.b1 }
        { mx: mxmul.s8 a2, v1.b2 }
        { mx: mxmul.s8 a3, v1.b3 }
        { mx: mxmul.s8 a4, v1.b2 }
        { mx: mxmul.s8 a4, v1.b2, add, rows=5 }
        { mx: mxmul.s8 a5, v1.b2 }
        { mx: @p1 mxmul.s8 a5, v1.b2, add }             # not done
        { mx: @!p1 mxmul.s8 a[s5], v1.b2 }
        { mx: mxmul.s8 a6, v1.b2 }
        .rept   7, i
        { mx: mxmul.s8 a20, v1.b0, rows=\i + 1 }
        .endr
        { mx: v2 = mxread a3 }
        halt
