# mxmul.bf16: every part, row counts, add, swap, accumulators by constant and scalar, predicates.
# The weights are 2 on the diagonal, so that acc = 2 x; x[r][j] = 3 r + j - 5, exact in bf16.
# expect: v2 = f32(2.0 * (3 * r + j - 5))
# expect: a0 = f32(2.0 * (3 * r + j - 5))
# expect: a63 = f32(2.0 * (3 * r + j - 5))
# expect: a10 = f32(r < 3 ? 4.0 * (3 * r + j - 5) : 2.0 * (3 * r + j - 5))
# expect: a11 = f32(2.0 * (3 * r + j - 5))
# expect: a12 = f32(4.0 * (3 * r + j - 5))
# expect: a13 = f32(r < 1 ? 0.0 : 2.0 * (3 * r + j - 5))
# expect: a14 = f32(2.0 * (3 * r + j - 5))
# expect: a15 = f32(2.0 * (3 * r + j - 5))
# expect: a16 = f32(0.0)

        .include "common.inc"
        push_diagonal 2.0, f32
        plane_f32 3, 1, -5
        { va: v1 = vmov v63 ; vb: v63 = vmov s0 }
        { va: v3 = vpack.bf16 v63, v1 ; vb: v4 = vpack.bf16 v1, v63 ; sa: s4 = mov 50 ; sb: s5 = mov -3 }
        { mx: mxmul.bf16 a0, v1.f32, swap }
        { mx: mxmul.bf16 a[s4 + 13], v1.f32 }           # 63
        { mx: mxmul.bf16 a10, v1.f32 }
        { mx: mxmul.bf16 a10, v3.hi, rows=3, add }
        { mx: mxmul.bf16 a[s5 + 14], v4.lo }            # 2^32 - 3 + 14 = 11
        { mx: mxmul.bf16 a12, v4.lo }
        { mx: mxmul.bf16 a12, v1.f32, add }
        { mx: mxmul.bf16 a13, v1.f32 }
        { mx: mxmul.bf16 a13, v63.f32, rows=1 }
        { mx: mxmul.bf16 a14, v1.f32, rows=8 }
        { mx: @p1 mxmul.bf16 a14, v1.f32, add }         # not done
        { mx: @!p1 mxmul.bf16 a15, v1.f32 }
        { mx: mxmul.bf16 a16, v3.lo }                   # zeros
        .rept   7, i
        { mx: mxmul.bf16 a20, v1.f32, rows=\i + 1 }
        .endr
        { mx: mxmul.bf16 a20, v1.f32 }
        { mx: v2 = mxread a0 }
        halt
