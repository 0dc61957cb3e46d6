# matmul_f32_6: C = A B in fp32 by six passes of the matrix unit in bf16. Each number is split into a
# sum of three bf16, x = x0 + x1 + x2 with errors of 2^-24 of it, and
# C = x0 w0 + x1 w0 + x0 w1 + x1 w1 + x2 w0 + x0 w2.
#   s4 A [m, k], s5 B [k, n], s6 C [m, n]
# Traps when k is 0. Within (k + 8) 2^-23 sum |a b|; infinities and what overflows bf16 give NaN.
#
# A chunk is split in place, A beside the last multiplies of the chunk before.
        .parameter matmul_f32_6, a, f32, [m, k], in
        .parameter matmul_f32_6, b, f32, [k, n], in
        .parameter matmul_f32_6, c, f32, [m, n], out

        .equ arrays, 2
        .equ last_pass, 5

# The vector at `at` becomes its parts: x = low half + high half + what stands an array further, rounded once each.
.macro matmul_split at, offset, id
        %sx\id = vld [\at + \offset]
        %s0\id = vpack.bf16 %sx\id, 0
        %r0\id = vsub.f32 %sx\id, %s0\id\().lo
        %s1\id = vpack.bf16 %s0\id\().lo, %r0\id
        vst [\at + \offset], %s1\id
        %r1\id = vsub.f32 %r0\id, %s1\id\().hi
        vst [\at + \offset + array_rows], %r1\id
.endm

        .include "matmul_f32.inc"

        matmul_begin matmul_f32_6
matmul_f32_6_more:
        matmul_tile matmul_f32_6, 0, 0, 1, 0, %here
matmul_f32_6_second:
        matmul_load _c
        matmul_tile matmul_f32_6, 1, 0, 2, 0, %here
        matmul_tile matmul_f32_6, 2, 0, 3, 0, %here
        matmul_tile matmul_f32_6, 3, 0, 4, 0, %here
        matmul_tile matmul_f32_6, 4, 0, 5, 0, %here
        matmul_next matmul_f32_6
        matmul_tile matmul_f32_6, 5, 0, 0, 0, %there
        matmul_end matmul_f32_6
        matmul_next_edge matmul_f32_6
matmul_f32_6_first:
        matmul_tile matmul_f32_6, 0, 0, 1, 0, %here, 1
        matmul_middle matmul_f32_6
        br matmul_f32_6_second
        matmul_few matmul_f32_6, 0, 0, 1, 0, %here
        matmul_few matmul_f32_6, 0, 0, 1, 0, %here, 1
        matmul_few matmul_f32_6, 1, 0, 2, 0, %here
        matmul_few matmul_f32_6, 2, 0, 3, 0, %here
        matmul_few matmul_f32_6, 3, 0, 4, 0, %here
        matmul_few matmul_f32_6, 4, 0, 5, 0, %here
        matmul_few matmul_f32_6, 5, 0, 0, 0, %there
        .endlinear

        .scratch matmul_f32_6, kernel_rows, 512
