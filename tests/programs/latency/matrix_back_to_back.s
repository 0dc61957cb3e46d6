# The matrix unit without a pause: pushes and multiplies, swaps, adds into one accumulator, reads.
# expect: a0 = 4 * LANES
# expect: a1 = r < 3 ? 3 * LANES : LANES
# expect: a2 = 2 * 8
# expect: a3 = 3 * 8
# expect: a4 = 2 * LANES
# expect: v10 = 4 * LANES
# expect: v11 = r < 3 ? 3 * LANES : LANES
# expect: v12 = 3 * 8
# expect: v13[0] = LANES
# expect: v14 = 3 * LANES
# expect: a5 = f32(1.0 * LANES)
# expect: a6 = f32(j < 8 ? 1.0 * LANES : 0.0)

        { sa: s1 = mov 1 ; sb: s2 = mov 2 }
        { va: v1 = vmov s1 ; vb: v2 = vmov s2 ; sa: s3 = mov 3 ; sb: s4 = mov 1.0 }
        { va: v3 = vmov s3 ; vb: v4 = vmov s4 }
        .rept   LANES / 8, i
        { mx: mxpush 8 * \i, v1.b0 }
        .endr
        { mx: mxmul.s8 a0, v1.b0, swap }
        { mx: mxmul.s8 a0, v1.b0, add }
        { mx: mxmul.s8 a0, v1.b0, add }
        { mx: mxmul.s8 a0, v1.b0, add }
        { mx: v10 = mxread a0 }
        { mx: mxmul.s8 a1, v1.b0 }
        { mx: mxmul.s8 a1, v1.b0, rows=3, add }
        { mx: mxmul.s8 a1, v1.b0, rows=3, add }
        { mx: v11 = mxread a1 }
        { mx: mxpush 0, v2.b0 }
        { mx: mxmul.s8 a2, v1.b0, swap }
        { mx: mxpush LANES - 8, v3.b0 }
        { mx: mxmul.s8 a3, v1.b0, swap }
        { mx: v12 = mxread a3 }
        .rept   LANES / 8, i
        { mx: mxpush 8 * \i, v1.b0 }
        .endr
        { mx: mxmul.s8 a4, v1.b0, rows=1, swap }
        { mx: v13 = mxread a4 }
        { mx: mxmul.s8 a4, v2.b0 }
        { mx: mxmul.s8 a7, v3.b0 }
        { mx: v14 = mxread a7 }
        .rept   LANES / 8, i
        { mx: mxpusht 8 * \i, v4.f32 }
        { mx: mxpush 8 * \i, v4.f32 }
        .endr
        { mx: mxmul.bf16 a5, v4.f32, swap }
        .rept   LANES / 8, i
        { mx: mxpush 8 * \i, v1.b1 }
        .endr
        { mx: mxmul.bf16 a6, v4.f32, swap }
        { mx: mxpusht 0, v4.f32 }
        { mx: mxmul.bf16 a6, v4.f32, swap }
        halt
