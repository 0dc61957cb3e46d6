# The largest numbers of each row: --size k=5
        .arguments
        .tensor x, f32, [rows, columns], in
        .tensor values, f32, [rows, k], out
        .tensor columns, s32, [rows, k], out
        .include "common.inc"
        .include "../top_k.s"
        run_kernel top_k, 3
