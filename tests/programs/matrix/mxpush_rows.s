# mxpush and mxpusht into the last rows (columns) of the array, by constant and by scalar.
# x[r][k] = (k == LANES - 8 + r) reads the last eight weight rows, for mxpusht the columns show.
# expect: a0 = f32(3.0 * r + j)
# expect: a1 = f32(3.0 * r + j)
# expect: a2 = f32(j < LANES - 8 ? 0.0 : 3.0 * (j - LANES + 8) + LANES - 8 + r)
# expect: a3 = f32(j < LANES - 8 ? 0.0 : 3.0 * (j - LANES + 8) + LANES - 8 + r)

        .include "common.inc"
        plane_f32 3, 1, 0
        { va: v1 = vmov v63 ; sa: s4 = mov LANES - 8 ; sb: s5 = mov 1.0 }
        { va: v2 = vadd.s32 v61, s4 }
        { va: m1 = veq.s32 v60, v2 }
        { va: v8 = vsel m1, s5, s0 ; sa: s6 = mov LANES - 16 }
        push_zeros
        { mx: mxpush LANES - 8, v1.f32 }
        { mx: mxmul.bf16 a0, v8.f32, swap }
        { mx: mxpush [s4], v1.f32 }
        { mx: mxmul.bf16 a1, v8.f32, swap }
        { mx: mxpusht LANES - 8, v1.f32 }
        { mx: mxmul.bf16 a2, v8.f32, swap }
        { mx: mxpusht [s6 + 8], v1.f32 }
        { mx: mxmul.bf16 a3, v8.f32, swap }
        halt
