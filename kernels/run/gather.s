# Rows of a table by index.
        .arguments
        .tensor table, f32, [rows, size], in
        .tensor ids, s32, [n], in
        .tensor y, f32, [n, size], out
        .include "common.inc"
        .include "../gather.s"
        run_kernel gather, 3
