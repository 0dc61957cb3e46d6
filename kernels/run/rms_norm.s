# RMSNorm of the rows of a matrix; -D epsilon=1e-6.
        .arguments
        .tensor x, f32, [rows, columns], in
        .tensor weight, f32, [columns], in
        .tensor y, f32, [rows, columns], out
        .equ epsilon, 1e-6
        .include "common.inc"
        .include "../rms_norm.s"
        run_kernel rms_norm, 3, f32(epsilon)
