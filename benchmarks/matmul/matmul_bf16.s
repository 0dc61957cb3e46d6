# C = A B in bf16: products exact, sums in fp32, C rounded to bf16 once. Sizes at run time.
# The columns of C are packed two to a word, as memory has them. Explicit trap 1: the rows of B are
# not as many as the columns of A.

        .include "../common/common.inc"

        .tensor a, bf16, [rows, inner], in
        .tensor b, bf16, [inner, columns], in
        .tensor c, bf16, [rows, columns], out
        .equ tensor_count, 3

        .equ parts, 2
        .equ log2_parts, 1

.macro first_part
        push_first lo
.endm

.macro all_tiles
        tile bf16, lo, 0, 1, 0, hi
        tile bf16, lo, 32, 1, 1, lo
        tile bf16, hi, 0, 0, 1, hi
        tile bf16, hi, 32, 0, 2 * LANES, lo, 1
.endm

.macro prepare_packing
.endm

.macro pack_register
        v20 = mxread a[s13]
        v21 = mxread a[s13 + 32]
        v30 = vpack.bf16 v20, v21
.endm

        .include "gemm.inc"
