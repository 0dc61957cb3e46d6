# matmul_f32_6: C = A B in fp32 by six passes of the matrix unit in bf16. Each number is split into a sum of
# three bf16, x = x0 + x1 + x2 with errors of 2^-24 of it, and C = x0 w0 + x1 w0 + x0 w1 + x1 w1 + x2 w0 + x0 w2.
#   s4 A [m, k], s5 B [k, n], s6 C [m, n]
# Traps when k is 0. Within (k + 8) 2^-23 sum |a b|; infinities and what overflows bf16 give NaN.
#
# A chunk is split where it lies, A beside the last multiplies of the chunk before.

        .equ parts, 1
        .equ log2_parts, 0
        .equ matmul_element, 0
        .equ arrays, 2
.if LANES == 8
        .equ registers, 16
.else
        .equ registers, 32
.endif

.macro matmul_multiply pass, acc, x, sum
.if \pass == 0
        mxmul.bf16 \acc, \x\().lo, \sum
.elseif \pass == 1
        mxmul.bf16 \acc, \x\().hi, \sum
.elseif \pass == 2
        mxmul.bf16 \acc, \x\().lo, \sum
.elseif \pass == 3
        mxmul.bf16 \acc, \x\().hi, \sum
.elseif \pass == 4
        mxmul.bf16 \acc, \x\().f32, \sum
.elseif \pass == 5
        mxmul.bf16 \acc, \x\().lo, \sum
.endif
.endm

.macro matmul_swap_multiply pass, acc, x, sum
.if \pass == 0
        mxmul.bf16 \acc, \x\().lo, \sum, swap
.elseif \pass == 1
        mxmul.bf16 \acc, \x\().hi, \sum, swap
.elseif \pass == 2
        mxmul.bf16 \acc, \x\().lo, \sum, swap
.elseif \pass == 3
        mxmul.bf16 \acc, \x\().hi, \sum, swap
.elseif \pass == 4
        mxmul.bf16 \acc, \x\().f32, \sum, swap
.elseif \pass == 5
        mxmul.bf16 \acc, \x\().lo, \sum, swap
.endif
.endm

.macro matmul_operand pass, r, id
.if \pass == 4
        %x\id = vld [%here + array_rows + 8 * \r]
.else
        %x\id = vld [%here + 8 * \r]
.endif
.endm

.macro matmul_weight pass, np, from, i, id
.if \pass == 5
        %w\id = vld [\from + array_rows + panel + 8 * \i]
        mxpush 8 * \i, %w\id\().f32
.else
        %w\id = vld [\from + panel + 8 * \i]
.if \pass == 2 || \pass == 3
        mxpush 8 * \i, %w\id\().hi
.else
        mxpush 8 * \i, %w\id\().lo
.endif
.endif
.endm

# The vector at `at` becomes its parts: x = low half + high half + what stands an array further, rounded once each.
.macro matmul_split at, offset, id
        %sx\id = vld [\at + \offset]
        %s0\id = vpack.bf16 %sx\id, 0
        %r0\id = vsub.f32 %sx\id, %s0\id\().lo
        %s1\id = vpack.bf16 %s0\id\().lo, %r0\id
        vst [\at + \offset], %s1\id
        %r1\id = vsub.f32 %r0\id, %s1\id\().hi
        vst [\at + \offset + array_rows], %r1\id
.endm

.macro matmul_beside pass, np, r, id
.if \pass == 5
        matmul_split %there, 8 * \r, \id
.endif
.endm

.macro matmul_split_next
.rept LANES / 8, i
        matmul_split %there, panel + 8 * \i, _w\i
.endr
.endm

.macro matmul_split_first
.rept LANES / 8, i
        matmul_split %here, panel + 8 * \i, _v\i
.endr
.rept registers, i
        matmul_split %here, 8 * \i, _x\i
.endr
.endm

.macro matmul_take part, register, name, predicate, id
        %sum\id = vmov 0                        # lives here only
        @\predicate %sum\id = mxread a[\register]
        @\predicate vst [s3 + staging + 8 * \register], %sum\id
.endm

.macro matmul_prepare
.endm

.macro matmul_describe_extra
.endm

.macro matmul_begin_tile
.endm

        .include "matmul.inc"

        matmul_begin matmul_f32_6
matmul_f32_6_more:
        matmul_tile matmul_f32_6, 0, 0, 1, 0, %here
matmul_f32_6_second:
        matmul_load _c
        matmul_tile matmul_f32_6, 1, 0, 2, 0, %here
        matmul_tile matmul_f32_6, 2, 0, 3, 0, %here
        matmul_tile matmul_f32_6, 3, 0, 4, 0, %here
        matmul_tile matmul_f32_6, 4, 0, 5, 0, %here
        matmul_next matmul_f32_6
        matmul_tile matmul_f32_6, 5, 0, 0, 0, %there
        matmul_end matmul_f32_6
matmul_f32_6_first:
        matmul_tile matmul_f32_6, 0, 0, 1, 0, %here, 1
        matmul_middle matmul_f32_6
        br matmul_f32_6_second
        matmul_few matmul_f32_6, 0, 0, 1, 0, %here
        matmul_few matmul_f32_6, 0, 0, 1, 0, %here, 1
        matmul_few matmul_f32_6, 1, 0, 2, 0, %here
        matmul_few matmul_f32_6, 2, 0, 3, 0, %here
        matmul_few matmul_f32_6, 3, 0, 4, 0, %here
        matmul_few matmul_f32_6, 4, 0, 5, 0, %here
        matmul_few matmul_f32_6, 5, 0, 0, 0, %there
        .endlinear
