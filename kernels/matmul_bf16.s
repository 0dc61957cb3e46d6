# matmul_bf16: C = A B in bf16: products exact, sums in fp32, C rounded to bf16 once.
#   s4 A [m, k], s5 B [k, n], s6 C [m, n]
# Traps when k is 0. Within 2^-8 |c| + k 2^-24 sum |a b|.
        .parameter matmul_bf16, a, bf16, [m, k], in
        .parameter matmul_bf16, b, bf16, [k, n], in
        .parameter matmul_bf16, c, bf16, [m, n], out

        .include "matmul_bf16.inc"
        .equ matmul_element, 1

.macro matmul_describe_extra
.endm

.macro matmul_begin_tile
.endm

.macro matmul_beside kp, np, r, id
.endm

.macro matmul_split_first
.endm

        .include "matmul.inc"

        matmul_begin matmul_bf16
matmul_bf16_more:
        matmul_tile matmul_bf16, 0, 0, 1, 0, %here
matmul_bf16_second:
        matmul_load _c
        matmul_tile matmul_bf16, 1, 0, 0, 1, %here
        @%first br matmul_bf16_first_high
        matmul_tile matmul_bf16, 0, 1, 1, 1, %here
matmul_bf16_last_part:
        matmul_next matmul_bf16
        matmul_tile matmul_bf16, 1, 1, 0, 0, %there
        matmul_end matmul_bf16
        matmul_next_edge matmul_bf16
matmul_bf16_first:
        matmul_tile matmul_bf16, 0, 0, 1, 0, %here, 1
        matmul_middle matmul_bf16
        br matmul_bf16_second
matmul_bf16_first_high:
        matmul_tile matmul_bf16, 0, 1, 1, 1, %here, 1
        br matmul_bf16_last_part
        matmul_few matmul_bf16, 0, 0, 1, 0, %here
        matmul_few matmul_bf16, 1, 0, 0, 1, %here
        matmul_few matmul_bf16, 0, 1, 1, 1, %here
        matmul_few matmul_bf16, 1, 1, 0, 0, %there
        matmul_few matmul_bf16, 0, 0, 1, 0, %here, 1
        matmul_few matmul_bf16, 0, 1, 1, 1, %here, 1
        .endlinear

        .scratch matmul_bf16, kernel_rows, 512
