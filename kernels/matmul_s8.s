# matmul_s8: C = saturate(round(A B scale)) in s8, one scale (fp32) a column; sums are exact.
#   s4 A [m, k], s5 B [k, n], s6 C [m, n], s7 scale [n]
# Traps when k is 0. Within half a step + 2^-23 of the value.
        .parameter matmul_s8, a, s8, [m, k], in
        .parameter matmul_s8, b, s8, [k, n], in
        .parameter matmul_s8, c, s8, [m, n], out
        .parameter matmul_s8, scale, f32, [n], in

        .equ parts, 4
        .equ log2_parts, 2
        .equ matmul_element, 3
.if LANES == 128
        .equ early_weights, LANES / 16          # loads of rows four apart take four cycles
        .equ early_groups, 1
.endif

.macro matmul_multiply part, acc, x, sum
.if \part == 0
        mxmul.s8 \acc, \x\().b0, \sum
.elseif \part == 1
        mxmul.s8 \acc, \x\().b1, \sum
.elseif \part == 2
        mxmul.s8 \acc, \x\().b2, \sum
.elseif \part == 3
        mxmul.s8 \acc, \x\().b3, \sum
.endif
.endm

.macro matmul_swap_multiply part, acc, x, sum
.if \part == 0
        mxmul.s8 \acc, \x\().b0, \sum, swap
.elseif \part == 1
        mxmul.s8 \acc, \x\().b1, \sum, swap
.elseif \part == 2
        mxmul.s8 \acc, \x\().b2, \sum, swap
.elseif \part == 3
        mxmul.s8 \acc, \x\().b3, \sum, swap
.endif
.endm

.macro matmul_push part, row, x
.if \part == 0
        mxpush \row, \x\().b0
.elseif \part == 1
        mxpush \row, \x\().b1
.elseif \part == 2
        mxpush \row, \x\().b2
.elseif \part == 3
        mxpush \row, \x\().b3
.endif
.endm

# Bytes gather in a register until the last one is there. Registers used only under a predicate
# begin as zero, so that they are live here only.
.macro matmul_take part, register, name, predicate, id
        %sum\id = vmov 0
        @\predicate %sum\id = mxread a[\part * registers + \register]
        %scale\id = vld [s3 + matmul_extra + \part], stride=0
        %real\id = vcvt.f32.s32 %sum\id
        %scaled\id = vmul.f32 %real\id, %scale\id
        %whole\id = vcvt.s32.f32 %scaled\id
.if \part < parts - 1
        @\predicate %bytes_\name = vpack.s8 %bytes_\name, %whole\id, \part
.else
        %all\id = vpack.s8 %bytes_\name, %whole\id, \part
        @\predicate vst [s3 + staging + 8 * \register], %all\id
.endif
.endm

.macro matmul_prepare_group g
.rept 8, i
        %bytes_\g\()_\i = vmov 0
.endr
.endm

.macro matmul_prepare
.rept registers / 8, r
        matmul_prepare_group \r
.endr
        %no_scale = vmov 0
        vst [s3 + matmul_extra], %no_scale, rows=parts
        %stripes = mov 0
.endm

# The scales of a tile's columns: row q of four has those of columns 4 j + q.
.macro matmul_describe_extra
        %scales = sld [s7 + argument_sizes]
        refuse_unless_equal %n, %scales
        describe extra_copy, hbm, vmem, 26
        describe_tensor extra_copy, copy_source, s7
        describe_rows extra_copy, copy_target, matmul_extra
        ssti [%frame + extra_copy + copy_length], 4
        ssti [%frame + extra_copy + copy_inner_source_stride], 4 * parts
        ssti [%frame + extra_copy + copy_inner_target_stride], 4
        ssti [%frame + extra_copy + copy_middle], parts
        ssti [%frame + extra_copy + copy_middle_source_stride], 4
        ssti [%frame + extra_copy + copy_middle_target_stride], ROW_BYTES
.endm

.macro matmul_begin_tile
        sst [%frame + extra_copy + copy_inner], %d_wide
        %scales_at = shl %this_n, log2_parts
        copy [%frame + extra_copy], %scales_at, s0
        %stripes = add %stripes, 1
.endm

.macro matmul_operand kp, r, id
        %x\id = vld [%here + 8 * \r]
.endm

.macro matmul_weight kp, np, from, i, id
        %w\id = vld [\from + panel + \kp + parts * 8 * \i], stride=parts
.endm

.macro matmul_push_weight kp, np, i, id
        matmul_push \np, 8 * \i, %w\id
.endm

.macro matmul_beside kp, np, r, id
.endm

.macro matmul_split_first
.endm

        .include "matmul.inc"

        matmul_begin matmul_s8
matmul_s8_more:
        matmul_tile matmul_s8, 0, 0, 1, 0, %here
matmul_s8_join_0:
        matmul_tile matmul_s8, 1, 0, 2, 0, %here
        matmul_tile matmul_s8, 2, 0, 3, 0, %here
        matmul_load _c
        matmul_tile matmul_s8, 3, 0, 0, 1, %here
        @%first br matmul_s8_first_1
        matmul_tile matmul_s8, 0, 1, 1, 1, %here
matmul_s8_join_1:
        matmul_tile matmul_s8, 1, 1, 2, 1, %here
        matmul_tile matmul_s8, 2, 1, 3, 1, %here
        matmul_tile matmul_s8, 3, 1, 0, 2, %here
        @%first br matmul_s8_first_2
        matmul_tile matmul_s8, 0, 2, 1, 2, %here
matmul_s8_join_2:
        matmul_tile matmul_s8, 1, 2, 2, 2, %here
        matmul_tile matmul_s8, 2, 2, 3, 2, %here
        matmul_tile matmul_s8, 3, 2, 0, 3, %here
        @%first br matmul_s8_first_3
        matmul_tile matmul_s8, 0, 3, 1, 3, %here
matmul_s8_join_3:
        matmul_tile matmul_s8, 1, 3, 2, 3, %here
        matmul_tile matmul_s8, 2, 3, 3, 3, %here
        matmul_next matmul_s8
        matmul_tile matmul_s8, 3, 3, 0, 0, %there
        matmul_end matmul_s8
        matmul_next_edge matmul_s8
matmul_s8_first:
        matmul_tile matmul_s8, 0, 0, 1, 0, %here, 1
        matmul_middle matmul_s8
        br matmul_s8_join_0
matmul_s8_first_1:
        wait f26, %stripes
        matmul_tile matmul_s8, 0, 1, 1, 1, %here, 1
        br matmul_s8_join_1
matmul_s8_first_2:
        matmul_tile matmul_s8, 0, 2, 1, 2, %here, 1
        br matmul_s8_join_2
matmul_s8_first_3:
        matmul_tile matmul_s8, 0, 3, 1, 3, %here, 1
        br matmul_s8_join_3
        matmul_few matmul_s8, 0, 0, 1, 0, %here, 1
        matmul_few matmul_s8, 0, 0, 1, 0, %here
        matmul_few matmul_s8, 1, 0, 2, 0, %here
        matmul_few matmul_s8, 2, 0, 3, 0, %here
        matmul_few matmul_s8, 3, 0, 0, 1, %here
        matmul_few matmul_s8, 0, 1, 1, 1, %here, 1
        matmul_few matmul_s8, 0, 1, 1, 1, %here
        matmul_few matmul_s8, 1, 1, 2, 1, %here
        matmul_few matmul_s8, 2, 1, 3, 1, %here
        matmul_few matmul_s8, 3, 1, 0, 2, %here
        matmul_few matmul_s8, 0, 2, 1, 2, %here, 1
        matmul_few matmul_s8, 0, 2, 1, 2, %here
        matmul_few matmul_s8, 1, 2, 2, 2, %here
        matmul_few matmul_s8, 2, 2, 3, 2, %here
        matmul_few matmul_s8, 3, 2, 0, 3, %here
        matmul_few matmul_s8, 0, 3, 1, 3, %here, 1
        matmul_few matmul_s8, 0, 3, 1, 3, %here
        matmul_few matmul_s8, 1, 3, 2, 3, %here
        matmul_few matmul_s8, 2, 3, 3, 3, %here
        matmul_few matmul_s8, 3, 3, 0, 0, %there
        .endlinear

        .scratch matmul_s8, kernel_rows, 512
