# matmul_bf16: C = A B in bf16: products exact, sums in fp32, C rounded to bf16 once.
#   s4 A [m, k], s5 B [k, n], s6 C [m, n]
# Traps when k is 0. Within 2^-8 |c| + k 2^-24 sum |a b|.

        .equ parts, 2
        .equ log2_parts, 1
        .equ matmul_element, 1

.macro matmul_multiply part, acc, x, sum
.if \part == 0
        mxmul.bf16 \acc, \x\().lo, \sum
.else
        mxmul.bf16 \acc, \x\().hi, \sum
.endif
.endm

.macro matmul_swap_multiply part, acc, x, sum
.if \part == 0
        mxmul.bf16 \acc, \x\().lo, \sum, swap
.else
        mxmul.bf16 \acc, \x\().hi, \sum, swap
.endif
.endm

.macro matmul_push part, row, x
.if \part == 0
        mxpush \row, \x\().lo
.else
        mxpush \row, \x\().hi
.endif
.endm

# The low halves wait in registers for the high ones.
.macro matmul_take part, register, name, predicate, id
.if \part == 0
        @\predicate %low_\name = mxread a[\register]
.else
        %high\id = vmov 0                       # a register that lives here only
        @\predicate %high\id = mxread a[registers + \register]
        %both\id = vpack.bf16 %low_\name, %high\id
        @\predicate vst [s3 + staging + 8 * \register], %both\id
.endif
.endm

.macro matmul_prepare_group g
.rept 8, i
        %low_\g\()_\i = vmov 0
.endr
.endm

.macro matmul_prepare
.rept registers / 8, r
        matmul_prepare_group \r
.endr
.endm

.macro matmul_describe_extra
.endm

.macro matmul_begin_tile
.endm

.macro matmul_operand kp, r, id
        %x\id = vld [%here + 8 * \r]
.endm

.macro matmul_weight kp, np, from, i, id
        %w\id = vld [\from + panel + \kp + parts * 8 * \i], stride=parts
        matmul_push \np, 8 * \i, %w\id
.endm

.macro matmul_beside kp, np, r, id
.endm

.macro matmul_split_first
.endm

.macro matmul_split_next
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
