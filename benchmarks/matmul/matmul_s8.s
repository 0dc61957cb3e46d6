# C = saturate(round(A B * scale)) in s8: sums exact in s32, one fp32 scale for each column, to the
# nearest integer with ties to even. Sizes at run time; columns of C are packed four to a word.
# Explicit trap 1: the sizes do not fit together.

        .include "../common/common.inc"

        .tensor a, s8, [rows, inner], in
        .tensor b, s8, [inner, columns], in
        .tensor c, s8, [rows, columns], out
        .tensor scale, f32, [columns], in
        .equ tensor_count, 4

        .equ parts, 4
        .equ log2_parts, 2

.macro first_part
        push_first b0
.endm

.macro part_tiles k_part, first, row, next_row, final
        tile s8, \k_part, 0, \first, \row, b1
        tile s8, \k_part, 16, \first, \row, b2
        tile s8, \k_part, 32, \first, \row, b3
        tile s8, \k_part, 48, \first, \next_row, b0, \final
.endm

.macro all_tiles
        part_tiles b0, 1, 0, 1, 0
        part_tiles b1, 0, 1, 2, 0
        part_tiles b2, 0, 2, 3, 0
        part_tiles b3, 0, 3, 4 * LANES, 1
.endm

# Scales of this tile's columns, part by part, into v24..v27: every fourth word of the tensor.
.macro prepare_packing
        descriptor setup_copy, in_hbm, in_vmem, 31
        tensor_address setup_copy, copy_source, arguments, 3
        store_word setup_copy + copy_target, scale_rows << log2(ROW_BYTES)
        sst [setup_copy + copy_target + 1], s0
        store_word setup_copy + copy_length, 4
        sst [setup_copy + copy_inner + 2], s4
        sst [setup_copy + copy_middle + 1], s4
        s4 = sub n_words, this_n
        s4 = min.u32 s4, LANES
        sst [setup_copy + copy_inner], s4
        store_word setup_copy + copy_inner + 1, 4 * parts
        store_word setup_copy + copy_middle, parts
        store_word setup_copy + copy_middle + 2, ROW_BYTES
        s4 = shl this_n, log2_parts
        copy_and_wait setup_copy, f31, s4
        s4 = mov scale_rows
        v24 = vld [s4], stride=0
        v25 = vld [s4 + 1], stride=0
        v26 = vld [s4 + 2], stride=0
        v27 = vld [s4 + 3], stride=0
.endm

.macro requantise scale, base, byte
        v20 = mxread a[s13 + \base]
        v20 = vcvt.f32.s32 v20
        v20 = vmul.f32 v20, \scale
        v20 = vcvt.s32.f32 v20
        v30 = vpack.s8 v30, v20, \byte
.endm

.macro pack_register
        v30 = vmov s0
        requantise v24, 0, 0
        requantise v25, 16, 1
        requantise v26, 32, 2
        requantise v27, 48, 3
.endm

        .include "gemm.inc"
