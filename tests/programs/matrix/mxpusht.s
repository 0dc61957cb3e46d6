# mxpusht: W[j][row + r] = x[r][j], each part, predicates. x[r][j] = 3 r + j; the identity as
# activations shows rows 0..7 of the weights: acc[r][c] = W[r][c] = x[c][r] for c < 8.
# expect: a0 = f32(j < 8 ? 3.0 * j + r : 0.0)
# expect: a1 = f32(j < 8 ? 3.0 * j + r : 0.0)
# expect: a2 = f32(j < 8 ? 3.0 * j + r : 0.0)
# expect: a3 = f32(j < 8 ? 3.0 * j + r : 0.0)
# expect: a4 = f32(j < 8 ? 3.0 * j + r : 0.0)
# expect: a5 = f32(0.0)

        .include "common.inc"
        plane_f32 3, 1, 0
        { va: v1 = vmov v63 ; sa: s5 = mov 1.0 }
        { va: m1 = veq.s32 v60, v61 ; vb: v2 = vpack.bf16 v1, s5 }
        { va: v3 = vpack.bf16 s5, v1 ; vb: v8 = vsel m1, s5, s0 ; sa: s6 = mov -8 ; sb: s7 = mov 0 }
        push_zeros
        { mx: mxpusht 0, v1.f32 }
        { mx: mxmul.bf16 a0, v8.f32, swap }
        { mx: mxpusht [s7], v2.lo }             # s7 = 0
        { mx: mxmul.bf16 a1, v8.f32, swap }
        { mx: mxpusht 0, v3.hi }
        { mx: mxmul.bf16 a2, v8.f32, swap }
        { mx: mxpusht 0, v1.f32 }
        { mx: @p1 mxpusht 0, v8.f32 }                   # not done
        { mx: mxmul.bf16 a3, v8.f32, swap }
        { mx: @!p1 mxpusht [s6 + 8], v1.f32 }
        { mx: mxmul.bf16 a4, v8.f32, swap }
        { mx: mxmul.bf16 a5, v8.f32, swap }
        halt
