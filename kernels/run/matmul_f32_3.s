# C = A B in fp32 by three bf16 passes.
        .arguments
        .tensor a, f32, [rows, inner], in
        .tensor b, f32, [inner, columns], in
        .tensor c, f32, [rows, columns], out
        .include "common.inc"
        .include "../matmul_f32_3.s"
        run_kernel matmul_f32_3, 3
