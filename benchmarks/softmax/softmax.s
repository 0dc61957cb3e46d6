# Softmax over the rows of a matrix: y = 2^((x - max) log2 e) / sum. Sizes at run time; a row must
# fit VMEM twice, 8 times over (explicit trap 1).
#
# A block is 8 rows, tile by tile: 8 rows of L words, so that a register holds a tile. Two buffer
# sets: while one block is computed in place, the one before is stored and the next one loaded. The
# EUP takes a register in 8 cycles and is what limits the middle pass; it works on two tiles in turn,
# so the number of tiles is rounded up to even, and elements beyond a row's end are minus infinity.

        .include "../common/common.inc"

        .tensor x, f32, [rows, columns], in
        .tensor y, f32, [rows, columns], out
        .equ tensor_count, 2

        .smem
        .align 16
load_tiles:     .space 16
load_tail:      .space 16
store_tiles:    .space 16
store_tail:     .space 16
setup_copy:     .space 16
arguments:      .space 16 * tensor_count

        .reg row_count, s31
        .reg columns, s30
        .reg pitch, s29                 # words
        .reg pairs, s28                 # of tiles
        .reg set_rows, s27
        .reg row, s26                   # first one of this block
        .reg set, s25
        .reg here, s24                  # VMEM row of this block's set
        .reg tail_row, s23              # of the ragged tile, within a set
        .reg loads, s22                 # copies into a set, for this block's wait
        .reg stores, s21                # the same out of the other set
        .reg tail, s20                  # words of the ragged tile, 0: there is none
        .reg block_rows, s19

        .text
        .global start
start:
        fetch_arguments setup_copy, arguments, tensor_count
        row_count = sld [arguments + argument_sizes]
        columns = sld [arguments + argument_sizes + 1]
        { p1 = eq row_count, 0 ; p2 = eq columns, 0 }
        p1 = por p1, p2
        @p1 halt
        pitch = sld [arguments + argument_pitch]
        pitch = shr pitch, 2
        ceil_shift pairs, columns, LANES_LOG2 + 1
        set_rows = shl pairs, 4
        s4 = shl set_rows, 1
        p1 = gt.u32 s4, VMEM_ROWS
        @p1 trap 1
        s1 = call describe_copies
        { s5 = mov s0 ; v0 = vmov s0 }
clear:
        { vst [s5], v0 ; s5 = add s5, 8 }
        p1 = lt.u32 s5, s4
        @p1 br clear

        { row = mov s0 ; set = mov s0 }
        { loads = mov 2 ; stores = mov s0 }
        { s10 = mov s0 ; s11 = mov s0 }
        s1 = call start_load
block:
        here = mul set, set_rows
        p2 = eq set, 0
        @p2 wait f0, loads
        @!p2 wait f1, loads
        s1 = call mark_edge
        s1 = call row_maximum
        # the other set: free once its block is stored, then the next block comes in
        s10 = add row, 8
        { p1 = lt.u32 s10, row_count ; p2 = eq set, 0 }
        @p2 wait f3, stores
        @!p2 wait f2, stores
        s11 = xor set, 1
        @p1 s1 = call start_load
        s1 = call exponentials
        s1 = call normalise
        s1 = call start_store
        { set = xor set, 1 ; row = add row, 8 }
        { p2 = eq set, 0 ; p1 = lt.u32 row, row_count }
        { @p2 loads = add loads, 2 ; @!p2 stores = add stores, 2 }
        @p1 br block
        halt

# All copies: whole tiles of 8 rows, and the ragged one.
describe_copies:
        { s6 = shr columns, LANES_LOG2 ; tail = and columns, LANES - 1 }
        { tail_row = shl s6, 3 ; s7 = shl pitch, 2 }
        descriptor load_tiles, in_hbm, in_vmem, 0
        tensor_address load_tiles, copy_source, arguments, 0
        descriptor load_tail, in_hbm, in_vmem, 0
        tensor_address load_tail, copy_source, arguments, 0
        descriptor store_tiles, in_vmem, in_hbm, 2
        tensor_address store_tiles, copy_target, arguments, 1
        descriptor store_tail, in_vmem, in_hbm, 2
        tensor_address store_tail, copy_target, arguments, 1
        sst [load_tiles + copy_inner + 1], s7
        sst [load_tail + copy_inner + 1], s7
        sst [store_tiles + copy_inner + 2], s7
        sst [store_tail + copy_inner + 2], s7
        sst [load_tiles + copy_middle], s6
        sst [store_tiles + copy_middle], s6
        s4 = shl tail, 2
        sst [load_tail + copy_length], s4
        sst [store_tail + copy_length], s4
        store_word load_tiles + copy_length, ROW_BYTES
        sst [store_tiles + copy_length], s4
        sst [load_tiles + copy_inner + 2], s4
        sst [load_tail + copy_inner + 2], s4
        sst [store_tiles + copy_inner + 1], s4
        sst [store_tail + copy_inner + 1], s4
        sst [load_tiles + copy_middle + 1], s4
        sst [store_tiles + copy_middle + 2], s4
        store_word load_tiles + copy_middle + 2, 8 * ROW_BYTES
        sst [store_tiles + copy_middle + 1], s4
        s4 = shl set_rows, 1
        ret s1

# Starts to load the 8 rows from row s10 on into set s11. Overwrites s5..s9.
start_load:
        { s5 = sub row_count, s10 ; s6 = shl s11, 16 }
        { s5 = min.u32 s5, 8 ; s6 = or s6, in_hbm << 8 | in_vmem << 10 }
        sst [load_tiles], s6
        { sst [load_tail], s6 ; s7 = mul s10, pitch }
        { sst [load_tiles + copy_inner], s5 ; s8 = mul s11, set_rows }
        { sst [load_tail + copy_inner], s5 ; s8 = shl s8, LANES_LOG2 }
        { copy [load_tiles], s7, s8 ; s9 = shl tail_row, LANES_LOG2 }
        { s8 = add s8, s9 ; s9 = shr s9, 3 }
        s7 = add s7, s9
        { copy [load_tail], s7, s8 ; ret s1 }

# Starts to store this block. Overwrites s5..s9.
start_store:
        { s5 = sub row_count, row ; s6 = add set, 2 }
        { s5 = min.u32 s5, 8 ; s6 = shl s6, 16 }
        s6 = or s6, in_vmem << 8 | in_hbm << 10
        sst [store_tiles], s6
        { sst [store_tail], s6 ; s7 = mul row, pitch }
        { sst [store_tiles + copy_inner], s5 ; s8 = shl here, LANES_LOG2 }
        sst [store_tail + copy_inner], s5
        { copy [store_tiles], s8, s7 ; s9 = shl tail_row, LANES_LOG2 }
        { s8 = add s8, s9 ; s9 = shr s9, 3 }
        s7 = add s7, s9
        { copy [store_tail], s8, s7 ; ret s1 }

# Minus infinity beyond the rows' end: the rest of the ragged tile and tiles that only fill up the
# pair. Overwrites s5..s7, p1, m1, v0, v1.
mark_edge:
        { s5 = add here, tail_row ; s6 = mov minus_infinity }
        { v0 = vmov s6 ; v1 = vlane ; s7 = add here, set_rows }
        m1 = vle.s32 tail, v1
        p1 = lt.u32 s5, s7
        @!p1 ret s1
        { vst [s5], v0, mask=m1 ; s5 = add s5, 8 }
        p1 = lt.u32 s5, s7
        @p1 vst [s5], v0
        ret s1

# v0 := the maximum of every row, in all lanes. Overwrites s5, s6, p1, v1..v4.
row_maximum:
        { s5 = mov here ; s6 = mov pairs }
        v1 = vld [s5]
        v2 = vmov v1
maximum_pair:
        { v3 = vld [s5] ; s6 = sub s6, 1 }
        { v4 = vld [s5 + 8] ; s5 = add s5, 16 ; p1 = ne s6, 0 }
        v1 = vmax.f32 v1, v3
        { v2 = vmax.f32 v2, v4 ; @p1 br maximum_pair }
        v1 = vmax.f32 v1, v2
        v0 = lmax.f32 v1
        ret s1

# Every x of the block := 2^((x - v0) log2 e); v10 := the sums of the rows, in all lanes. Two tiles
# in turn: while one is in the EUP, the other's result is stored and its next input made ready.
# Overwrites s5..s7, p1..p3, v1..v11.
exponentials:
        { v1 = vld [here] ; s7 = mov log2e }
        { v5 = vld [here + 8] ; s5 = mov here ; s6 = mov pairs }
        { v1 = vsub.f32 v1, v0 ; v10 = vmov s0 ; p2 = pand !p0, p0 }
        { v5 = vsub.f32 v5, v0 ; v2 = vmul.f32 v1, s7 }
        { v6 = vmul.f32 v5, s7 ; v7 = vmov s0 ; p1 = ne s6, 1 }
        v11 = vmov s0
exponential_pair:
        { v3 = exp2 v2 ; @p1 v1 = vld [s5 + 16] ; s6 = sub s6, 1 }
        { v10 = vadd.f32 v10, v7 ; @p2 vst [s5 - 8], v7 ; @p1 v5 = vld [s5 + 24] }
        { v1 = vsub.f32 v1, v0 ; v5 = vsub.f32 v5, v0 }
        { v2 = vmul.f32 v1, s7 ; p3 = ne s6, 1 }
        { v7 = exp2 v6 ; v6 = vmul.f32 v5, s7 ; p2 = por p0, p0 ; s5 = add s5, 16 }
        { v11 = vadd.f32 v11, v3 ; vst [s5 - 16], v3 ; @p1 br exponential_pair ; p1 = pand p3, p3 }
        { v10 = vadd.f32 v10, v7 ; vst [s5 - 8], v7 }
        v10 = vadd.f32 v10, v11
        v10 = lsum.f32 v10
        ret s1

# Every number of the block times 1 / v10. Overwrites s5, s6, p1, v1..v4.
normalise:
        { v10 = rcp v10 ; s5 = mov here ; s6 = mov pairs }
normal_pair:
        { v1 = vld [s5] ; s6 = sub s6, 1 }
        { v2 = vld [s5 + 8] ; p1 = ne s6, 0 }
        v3 = vmul.f32 v1, v10
        { v4 = vmul.f32 v2, v10 ; vst [s5], v3 }
        { vst [s5 + 8], v4 ; s5 = add s5, 16 ; @p1 br normal_pair }
        ret s1
