# SwiGLU of matrices.
        .arguments
        .tensor x, f32, [rows, columns], in
        .tensor z, f32, [rows, columns], in
        .tensor y, f32, [rows, columns], out
        .include "common.inc"
        .include "../swiglu.s"
        run_kernel swiglu, 3
