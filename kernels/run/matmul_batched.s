# C[i] = A[i] B[i] in bf16.
        .arguments
        .tensor a, bf16, [count, rows, inner], in
        .tensor b, bf16, [count, inner, columns], in
        .tensor c, bf16, [count, rows, columns], out
        .include "common.inc"
        .include "../matmul_grouped.s"
        run_kernel matmul_batched, 3
