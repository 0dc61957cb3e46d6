# C = A B in s8, requantised.
        .arguments
        .tensor a, s8, [rows, inner], in
        .tensor b, s8, [inner, columns], in
        .tensor c, s8, [rows, columns], out
        .tensor scale, f32, [columns], in
        .include "common.inc"
        .include "../matmul_s8.s"
        run_kernel matmul_s8, 4
