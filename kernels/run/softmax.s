# Softmax over the rows of a matrix.
        .arguments
        .tensor x, f32, [rows, columns], in
        .tensor y, f32, [rows, columns], out
        .include "common.inc"
        .include "../softmax.s"
        run_kernel softmax, 2
