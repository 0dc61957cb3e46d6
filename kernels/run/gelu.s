# gelu of a matrix: tandem run --on cycle kernels/run/gelu.s --in x=x.npy --out y=y.npy
        .arguments
        .tensor x, f32, [rows, columns], in
        .tensor y, f32, [rows, columns], out
        .include "common.inc"
        .include "../gelu.s"
        run_kernel gelu, 2
