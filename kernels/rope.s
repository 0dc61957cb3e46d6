# rope: rotary embedding. For each position and head the halves a, b of x become a cos - b sin and
# b cos + a sin, with cos and sin of the position; fp32.
#   s4 x [positions, heads, size], s5 cos and s6 sin [positions, size / 2], s7 y (which may be x)
# Traps when size is odd (1) or the heads of a position do not fit VMEM (2). Within 1e-6 of the
# largest of |x| in the row.
#
# Four arrays of tiles, one row each for a position and head: the halves, and cos and sin, which the
# copies repeat for every head.
        .parameter rope, x, f32, [positions, heads, size], in
        .parameter rope, cos, f32, [positions, half], in
        .parameter rope, sin, f32, [positions, half], in
        .parameter rope, y, f32, [positions, heads, size], out

        .include "common.inc"

        .equ rope_rows, kernel_rows / 4 / 8 * 8         # of an array

        .equ rope_whole, 0                      # descriptors: a, b, cos, sin, a out, b out;
        .equ rope_tail, 96                      # of the ragged tile
        .equ rope_numbers, 192                  # kept for the second part
        .equ rope_frame, 208

.macro rope_keep register, number
        sst [%frame + rope_numbers + \number], %\register
.endm
.macro rope_again register, number
        %\register = sld [%frame + rope_numbers + \number]
.endm

# Descriptors of one array: whole tiles and the ragged one.
.macro rope_describe at, from, to, flag, rows, tensor, repeat
        rope_describe_one rope_whole + \at, \from, \to, \flag, \rows, \tensor, \repeat
        rope_describe_one rope_tail + \at, \from, \to, \flag, \rows, \tensor, \repeat
        ssti [%frame + rope_whole + \at + copy_length], ROW_BYTES
        sst [%frame + rope_tail + \at + copy_length], %tail_bytes
        sst [%frame + rope_whole + \at + copy_outer], %whole
.endm

.macro rope_describe_one at, from, to, flag, rows, tensor, repeat
        describe \at, \from, \to, \flag
        sst [%frame + \at + copy_inner], %heads
.if \flag == 25
        describe_tensor \at, copy_target, \tensor
        describe_rows \at, copy_source, \rows
        ssti [%frame + \at + copy_inner_source_stride], ROW_BYTES
        sst [%frame + \at + copy_middle_source_stride], %heads_rows
        sst [%frame + \at + copy_inner_target_stride], %pitch
        sst [%frame + \at + copy_middle_target_stride], %x_pitch
        ssti [%frame + \at + copy_outer_target_stride], ROW_BYTES
.else
        describe_tensor \at, copy_source, \tensor
        describe_rows \at, copy_target, \rows
        ssti [%frame + \at + copy_inner_target_stride], ROW_BYTES
        sst [%frame + \at + copy_middle_target_stride], %heads_rows
.if \repeat
        ssti [%frame + \at + copy_inner_source_stride], 0
        sst [%frame + \at + copy_middle_source_stride], %table_pitch
.else
        sst [%frame + \at + copy_inner_source_stride], %pitch
        sst [%frame + \at + copy_middle_source_stride], %x_pitch
.endif
        ssti [%frame + \at + copy_outer_source_stride], ROW_BYTES
.endif
.endm

# Both copies of one array: memory offset `from`, VMEM begins at the array's first row.
.macro rope_copy at, out, memory, id
        sst [%frame + rope_whole + \at + copy_middle], %count
        sst [%frame + rope_tail + \at + copy_middle], %count
        %rc_tail\id = add \memory, %whole_words
.if \out
        sst [%frame + rope_whole + \at + copy_outer_source_stride], %tile_bytes
        copy [%frame + rope_whole + \at], s0, \memory
        copy [%frame + rope_tail + \at], %tail_at, %rc_tail\id
.else
        sst [%frame + rope_whole + \at + copy_outer_target_stride], %tile_bytes
        copy [%frame + rope_whole + \at], \memory, s0
        copy [%frame + rope_tail + \at], %rc_tail\id, %tail_at
.endif
.endm

        .global rope
        .linear rope
        %frame = sub s2, rope_frame
        %positions = sld [s4 + argument_sizes]
        %heads = sld [s4 + argument_sizes + 1]
        %size = sld [s4 + argument_sizes + 2]
        %half = shr %size, 1
        %twice = shl %half, 1
        refuse_unless_equal %size, %twice
.rept 3, i
        %of_x\i = sld [s4 + argument_sizes + \i]
        %of_y\i = sld [s7 + argument_sizes + \i]
        refuse_unless_equal %of_x\i, %of_y\i
.endr
        %cos_positions = sld [s5 + argument_sizes]
        %cos_half = sld [s5 + argument_sizes + 1]
        %sin_positions = sld [s6 + argument_sizes]
        %sin_half = sld [s6 + argument_sizes + 1]
        refuse_unless_equal %positions, %cos_positions
        refuse_unless_equal %positions, %sin_positions
        refuse_unless_equal %half, %cos_half
        refuse_unless_equal %half, %sin_half
        %rows_each = mul %positions, %heads
        %elements = mul %rows_each, %half
        %nothing = eq %elements, 0
        @%nothing ret s1
        %whole = shr %half, lanes_log2
        %tail = and %half, LANES - 1
        %tail_bytes = shl %tail, 2
        %tiles = add %half, LANES - 1
        %tiles = shr %tiles, lanes_log2
        %heads_rows = shl %heads, log2(ROW_BYTES)
        %pitch = sld [s4 + argument_pitch]
        %x_pitch = mul %pitch, %heads
        %table_pitch = sld [s5 + argument_pitch]
        rope_describe 0, hbm, vmem, 24, 0, s4, 0
        rope_describe 16, hbm, vmem, 24, rope_rows, s4, 0
        rope_describe 32, hbm, vmem, 24, 2 * rope_rows, s5, 1
        rope_describe 48, hbm, vmem, 24, 3 * rope_rows, s6, 1
        rope_describe 64, vmem, hbm, 25, 0, s7, 0
        rope_describe 80, vmem, hbm, 25, rope_rows, s7, 0
        # positions of a block: as many as fit, at most all
        %each = mul %heads, %tiles
        %room = mov rope_rows
        %fits_none = gt.u32 %each, %room
        @%fits_none trap kernel_too_large
        %block = mov 0
        %taken = mov 0
rope_count:
        %taken = add %taken, %each
        %block = add %block, 1
        %next_taken = add %taken, %each
        %more_fit = le.u32 %next_taken, %room
        %more_wanted = lt.u32 %block, %positions
        %counts = pand %more_fit, %more_wanted
        @%counts br rope_count
        # rows of a tile: those of a block
        %tile_rows = mul %block, %heads
        %tile_bytes = shl %tile_rows, log2(ROW_BYTES)
        %tail_at = mul %whole, %tile_rows
        %tail_at = shl %tail_at, lanes_log2
        %whole_words = shl %whole, lanes_log2
        # lanes that no copy writes must hold numbers
        %zero = vmov 0
        %clear = mov s3
        %clear_end = add s3, 4 * rope_rows
rope_clear:
        vst [%clear], %zero
        %clear = add %clear, 8
        %clear_again = lt.u32 %clear, %clear_end
        @%clear_again br rope_clear
        %x_words = shr %x_pitch, 2
        %table_words = shr %table_pitch, 2
        %vectors = mul %tile_rows, %tiles
        %vectors = add %vectors, 7
        %vectors = shr %vectors, 3
        rope_keep positions, 0
        rope_keep block, 1
        rope_keep half, 2
        rope_keep whole_words, 3
        rope_keep tail_at, 4
        rope_keep tile_bytes, 5
        rope_keep x_words, 6
        rope_keep table_words, 7
        rope_keep vectors, 8
        .endlinear

        .linear
        %frame = sub s2, rope_frame
        rope_again positions, 0
        rope_again block, 1
        rope_again half, 2
        rope_again whole_words, 3
        rope_again tail_at, 4
        rope_again tile_bytes, 5
        rope_again x_words, 6
        rope_again table_words, 7
        rope_again vectors, 8
        %first = mov 0
        %loads = mov 0
        %stores = mov 0
rope_block:
        %count = sub %positions, %first
        %count = min.u32 %count, %block
        %x_from = mul %first, %x_words
        %b_from = add %x_from, %half
        %t_from = mul %first, %table_words
        rope_copy 0, 0, %x_from, _a
        rope_copy 16, 0, %b_from, _b
        rope_copy 32, 0, %t_from, _c
        rope_copy 48, 0, %t_from, _s
        %loads = add %loads, 8
        wait f24, %loads
        %at = mov s3
        %n = mov %vectors
rope_vector:
        %a = vld [%at]
        %b = vld [%at + rope_rows]
        %c = vld [%at + 2 * rope_rows]
        %s = vld [%at + 3 * rope_rows]
        %ac = vmul.f32 %a, %c
        %bs = vmul.f32 %b, %s
        %bc = vmul.f32 %b, %c
        %as = vmul.f32 %a, %s
        %new_a = vsub.f32 %ac, %bs
        %new_b = vadd.f32 %bc, %as
        vst [%at], %new_a
        vst [%at + rope_rows], %new_b
        %at = add %at, 8
        %n = sub %n, 1
        %vector_again = ne %n, 0
        @%vector_again br rope_vector
        rope_copy 64, 1, %x_from, _d
        rope_copy 80, 1, %b_from, _e
        %stores = add %stores, 4
        wait f25, %stores
        %first = add %first, %block
        %block_again = lt.u32 %first, %positions
        @%block_again br rope_block
        fset f24, 0
        fset f25, 0
        ret s1
        .endlinear

        .scratch rope, kernel_rows, 512
