# C = A B in bf16.
        .arguments
        .tensor a, bf16, [rows, inner], in
        .tensor b, bf16, [inner, columns], in
        .tensor c, bf16, [rows, columns], out
        .include "common.inc"
        .include "../matmul_bf16.s"
        run_kernel matmul_bf16, 3
