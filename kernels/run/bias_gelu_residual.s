# gelu(x + bias) + residual.
        .arguments
        .tensor x, f32, [rows, columns], in
        .tensor bias, f32, [columns], in
        .tensor residual, f32, [rows, columns], in
        .tensor y, f32, [rows, columns], out
        .include "common.inc"
        .include "../bias_gelu_residual.s"
        run_kernel bias_gelu_residual, 4
