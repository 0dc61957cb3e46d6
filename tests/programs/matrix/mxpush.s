# mxpush: every part; rows by constant and scalar; predicates. A one in lane k of the activation
# reads weight row k: x[r][k] = (k == r), so acc[r][j] = W[r][j] of the first eight rows.
# expect: a0 = f32(3.0 * r + j)
# expect: a1 = f32(3.0 * r + j)
# expect: a2 = f32(3.0 * r + j)
# expect: a3 = r + 2 * (j % 32)
# expect: a4 = -(r + 2 * (j % 32)) - 1
# expect: a5 = 127
# expect: a6 = -128
# expect: a7 = f32(3.0 * r + j)
# expect: a8 = f32(3.0 * r + j)
# expect: a9 = f32(0.0)

        .include "common.inc"
        plane_f32 3, 1, 0
        { va: v1 = vmov v63 ; sa: s4 = mov 31 ; sb: s5 = mov 1 }
        { va: m1 = veq.s32 v60, v61 ; vb: v2 = vpack.bf16 v1, s0 }
        { va: v3 = vpack.bf16 s0, v1 ; vb: v9 = vand v60, s4 ; sa: s6 = mov 1.0 }
        { va: v9 = vshl v9, s5 ; vb: v8 = vsel m1, s6, s0 }         # v8: ones as fp32
        { va: v9 = vadd.s32 v9, v61 ; vb: v7 = vsel m1, s5, s0 ; sa: s7 = mov 127 ; sb: s8 = mov -128 }
        { va: v4 = vpack.s8 s0, v9, 0 ; vb: v5 = vxor v9, v9 }
        { va: v4 = vpack.s8 v4, s7, 2 ; sa: s9 = mov -1 }
        { va: v4 = vpack.s8 v4, s8, 3 ; vb: v5 = vxor v9, s9 }
        { va: v4 = vpack.s8 v4, v5, 1 ; sa: s10 = mov 16 ; sb: s11 = mov -8 }
        push_zeros
        { mx: mxpush 0, v1.f32 }
        { mx: mxmul.bf16 a0, v8.f32, swap }
        { mx: mxpush 0, v2.lo }
        { mx: mxmul.bf16 a1, v8.f32, swap }
        { mx: mxpush [s0], v3.hi }
        { mx: mxmul.bf16 a2, v8.f32, swap }
        { mx: mxpush 0, v4.b0 }
        { mx: mxmul.s8 a3, v7.b0, swap }
        { mx: mxpush 0, v4.b1 }
        { mx: mxmul.s8 a4, v7.b0, swap }
        { mx: mxpush 0, v4.b2 }
        { mx: mxmul.s8 a5, v7.b0, swap }
        { mx: mxpush 0, v4.b3 }
        { mx: mxmul.s8 a6, v7.b0, swap }
        { mx: mxpush 0, v1.f32 }
        { mx: @p1 mxpush 0, v8.f32 }                    # not done
        { mx: mxmul.bf16 a7, v8.f32, swap }
        { mx: @!p1 mxpush [s11 + 8], v1.f32 }           # 2^32 - 8 + 8 = 0
        { mx: mxmul.bf16 a8, v8.f32, swap }
        { mx: mxmul.bf16 a9, v8.f32, swap }             # the released buffer is zero
        halt
