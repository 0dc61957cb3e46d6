# Rows sorted by group times the groups' matrices.
        .arguments
        .tensor a, bf16, [rows, inner], in
        .tensor b, bf16, [groups, inner, columns], in
        .tensor c, bf16, [rows, columns], out
        .tensor sizes, s32, [groups], in
        .include "common.inc"
        .include "../matmul_grouped.s"
        run_kernel matmul_grouped, 4
