# LayerNorm of the rows of a matrix; -D epsilon=1e-6.
        .arguments
        .tensor x, f32, [rows, columns], in
        .tensor weight, f32, [columns], in
        .tensor bias, f32, [columns], in
        .tensor y, f32, [rows, columns], out
        .equ epsilon, 1e-6
        .include "common.inc"
        .include "../layer_norm.s"
        run_kernel layer_norm, 4, f32(epsilon)
