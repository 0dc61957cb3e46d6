# conv2d: two-dimensional convolution, bf16, sums in fp32:
# y[n, i, j, o] = sum over h, w, c of x[n, i*stride_h + h - pad_h, j*stride_w + w - pad_w, c] k[h, w, c, o],
# x being zero outside. The padding below and to the right follows from the sizes of y.
#   s4 x [images, height, width, channels], s5 k [kernel height, kernel width, channels, outputs],
#   s6 y [images, rows, columns, outputs], s7 stride_h, s8 stride_w, s9 pad_h, s10 pad_w
# Traps when sizes do not match. Within 2^-8 |y| + terms 2^-24 sum |x k|.
#
# Nothing is ever rearranged: it is a product of matrices whose A has a row for each position of y, with
# what its window sees, and whose B is k (matmul_tiles.inc). A panel is as many whole rows of y as go into
# it, or a part of one row. A chunk along k is one row h of the window: as many of its pixels as fit the lanes
# side by side, as they are in x, or a word tile of one pixel. One copy with strides fetches that for all
# positions whose pixels are inside x; those of the first and the last column of y that see the outside are
# copied separately, as far as they are inside, and other such columns in a loop. The chunk is zeroed before.
        .parameter conv2d, x, bf16, [images, height, width, channels], in
        .parameter conv2d, k, bf16, [kernel_height, kernel_width, channels, outputs], in
        .parameter conv2d, y, bf16, [images, rows, columns, outputs], out
        .parameter conv2d, stride_down, s32
        .parameter conv2d, stride_right, s32
        .parameter conv2d, padding_down, s32
        .parameter conv2d, padding_right, s32

.if LANES < 64
        .include "conv2d_narrow.inc"
.else
        .include "conv2d_wide.inc"
.endif

.macro conv_zero chunk, row, count, id
        %zero\id = vmov 0
.rept \count, i
        vst [\chunk + \row + 8 * \i], %zero\id
.endr
.endm

.macro matmul_goes_on
        %on_image = sld [%frame + this_image]
        %on_images = sld [%frame + n_images]
        %goes_on = lt.u32 %on_image, %on_images
.endm

        .include "matmul_tiles.inc"

        .equ a_copy, 0
        .equ b_copy, 16
        .equ c_copy, 32
        .equ left_copy, 48                      # of a column that sees the outside
        .equ right_copy, 64
        .equ n_height, 80                       # numbers of the frame
        .equ n_width, 81
        .equ n_channels, 82
        .equ n_words, 83                        # of a pixel
        .equ n_kernel_h, 84
        .equ n_kernel_w, 85
        .equ n_out_words, 86                    # of a position of y
        .equ n_rows, 87
        .equ n_columns, 88
        .equ n_stride_h, 89
        .equ n_stride_w, 90
        .equ n_pad_h, 91
        .equ n_pad_w, 92
        .equ n_images, 93
        .equ n_k_pitch, 94                      # words of a row of k
        .equ n_step_h, 95                       # to divide by the strides: divisor - 1,
        .equ n_inverse_h, 96                    # 2^31 / divisor, rounded up
        .equ n_step_w, 97
        .equ n_inverse_w, 98
        .equ n_group, 99                        # pixels of a chunk
        .equ n_panel_rows, 100                  # rows and columns of y in a panel
        .equ n_panel_columns, 101
        .equ n_tiles, 102                       # chunks of a tile of y
        .equ n_loads, 103                       # copies to the chip so far
        .equ next_image, 104                    # the chunk that is loaded next
        .equ next_row, 105
        .equ next_column, 106
        .equ next_out, 107
        .equ next_h, 108
        .equ next_w, 109
        .equ next_c, 110
        .equ this_image, 111                    # the tile of y that is computed
        .equ this_row, 112
        .equ this_column, 113
        .equ this_out, 114
        .equ this_position, 115
        .equ this_count, 116
        .equ frame_c_to, 117
        .equ frame_rounds, 118
        .equ next_line, 119                     # the first row that sees x: its first pixel
        .equ next_above, 120                    # and position in the panel
        .equ next_count, 121                    # columns of the panel
        .equ next_pixels, 122                   # pixels of the window
        .equ next_first, 123                    # the first one's pixel of the first column
        .equ next_last, 124                     # and of the last one
        .equ next_low, 125                      # columns that see the outside, left and right
        .equ next_high, 126
        .equ next_from, 127                     # word of x for the first of those between them
        .equ next_to, 128                       # and of the chunk
        .equ next_left, 129                     # whether the first column is copied apart: 0 or 1,
        .equ next_left_from, 130                # word of x and of the chunk
        .equ next_left_to, 131
        .equ next_right, 132                    # and the last one
        .equ next_right_from, 133
        .equ next_right_to, 134
        .equ next_several, 135                  # above `side_copies`: others too
        .equ next_k, 136                        # word of k
        .equ next_there, 137                    # 0 after the last chunk, else 1
        .equ frame_words, conv_frame

        .include "conv2d_load.inc"

# A copy of positions of y from the staging rows, one after the other.
.macro conv_describe_copy at
        describe \at, vmem, hbm, 25
        describe_tensor \at, copy_target, s6
        describe_rows \at, copy_source, staging
        ssti [%frame + \at + copy_inner_source_stride], ROW_BYTES
        sst [%frame + \at + copy_inner_target_stride], %y_bytes
.endm

# All of a load, before the multiplies begin.
.macro conv_load_whole id
        conv_columns _columns\id
        conv_sides _sides\id
        conv_load \id
        %is_few\id = le.u32 %several\id, side_copies
        @%is_few\id br conv_loaded\id
        conv_edges \id
conv_loaded\id:
        .unroll conv_edge\id, 1
        conv_advance _advance\id
.endm

# The positions of the tile of y that is computed.
.macro conv_count count, id
        %c_row\id = sld [%frame + this_row]
        %c_rows\id = sld [%frame + n_rows]
        %c_panel_rows\id = sld [%frame + n_panel_rows]
        %c_column\id = sld [%frame + this_column]
        %c_columns\id = sld [%frame + n_columns]
        %c_panel_columns\id = sld [%frame + n_panel_columns]
        %c_rows\id = sub %c_rows\id, %c_row\id
        %c_rows\id = min.u32 %c_rows\id, %c_panel_rows\id
        %c_columns\id = sub %c_columns\id, %c_column\id
        %c_columns\id = min.u32 %c_columns\id, %c_panel_columns\id
        \count = mul %c_rows\id, %c_columns\id
        sst [%frame + this_count], \count
.endm

# After the first multiplies of a tile of y.
.macro conv_middle
        matmul_store _a, @%before
        %d_count = sld [%frame + this_count]
        %d_out_words = sld [%frame + n_out_words]
        %d_out = sld [%frame + this_out]
        %d_wide = sub %d_out_words, %d_out
        %d_wide = min.u32 %d_wide, out_tile
        %d_wide = shl %d_wide, 2
        %d_position = sld [%frame + this_position]
        %d_to = mul %d_position, %d_out_words
        %d_to = add %d_to, %d_out
        sst [%frame + frame_c_to], %d_to
        conv_describe_store %d_count, %d_wide, %d_to, %d_out_words
.endm

# Before the last multiplies of a chunk: computes what the beginning of the next one needs.
.macro conv_next id
        conv_count_down \id
        conv_turn \id
.endm

.macro conv_count_down id
        %n_tiles\id = sld [%frame + n_tiles]
        %k_left = sub %k_left, 1
        %first = eq %k_left, 0
        %k_left = sel %first, %n_tiles\id, %k_left
.endm

# The tile of y that the next chunk belongs to: the one after this, if that chunk is the first.
.macro conv_turn id
        conv_next_tile this, %first, _this\id
        %n_position\id = sld [%frame + this_position]
        %n_count\id = sld [%frame + this_count]
        @%wrapped_this\id %n_position\id = add %n_position\id, %n_count\id
        sst [%frame + this_position], %n_position\id
        conv_count %n_next\id, _next\id
        matmul_groups_of %rounds_next, %n_next\id, _next\id
        %n_images\id = sld [%frame + n_images]
        %finished = ge.u32 %image_this\id, %n_images\id
        matmul_decide
.endm

# `to` := 2^31 / `by`, rounded up.
.macro conv_inverse to, by, id
        \to = mov 0x80000000
        %is_one\id = eq \by, 1
        @%is_one\id br conv_inverse_done\id
        \to = mov 0
        %rest\id = mov 0x80000000
        %rest\id = add %rest\id, \by
        %rest\id = sub %rest\id, 1
        %bit\id = mov 31
conv_inverse_bit\id:
        %part\id = shr %rest\id, %bit\id
        %fits\id = ge.u32 %part\id, \by
        %times\id = shl \by, %bit\id
        @%fits\id %rest\id = sub %rest\id, %times\id
        \to = shl \to, 1
        @%fits\id \to = add \to, 1
        %bit\id = sub %bit\id, 1
        %bits\id = ge.s32 %bit\id, 0
        @%bits\id br conv_inverse_bit\id
conv_inverse_done\id:
.endm

        .global conv2d
        .linear conv2d
        %frame = sub s2, frame_words
        %images = sld [s4 + argument_sizes]
        %height = sld [s4 + argument_sizes + 1]
        %width = sld [s4 + argument_sizes + 2]
        %channels = sld [s4 + argument_sizes + 3]
        %kernel_h = sld [s5 + argument_sizes]
        %kernel_w = sld [s5 + argument_sizes + 1]
        %k_channels = sld [s5 + argument_sizes + 2]
        %outputs = sld [s5 + argument_sizes + 3]
        %y_images = sld [s6 + argument_sizes]
        %rows = sld [s6 + argument_sizes + 1]
        %columns = sld [s6 + argument_sizes + 2]
        %y_outputs = sld [s6 + argument_sizes + 3]
        refuse_unless_equal %images, %y_images
        refuse_unless_equal %channels, %k_channels
        refuse_unless_equal %outputs, %y_outputs
        %positions = mul %rows, %columns
        %elements = mul %positions, %outputs
        %elements = mul %elements, %images
        %nothing = eq %elements, 0
        @%nothing ret s1
        # every row and column of y sees a pixel: the window's last one at its beginning, its first at its end
        %terms = mul %kernel_h, %kernel_w
        %terms = mul %terms, %channels
        %no_terms = eq %terms, 0
        @%no_terms trap kernel_wrong_sizes
        %still = eq s7, 0
        @%still trap kernel_wrong_sizes
        %still = eq s8, 0
        @%still trap kernel_wrong_sizes
        %blind = ge.u32 s9, %kernel_h
        @%blind trap kernel_wrong_sizes
        %blind = ge.u32 s10, %kernel_w
        @%blind trap kernel_wrong_sizes
        %end_row = sub %rows, 1
        %end_row = mul %end_row, s7
        %end_row = sub %end_row, s9
        %blind = ge.s32 %end_row, %height
        @%blind trap kernel_wrong_sizes
        %end_column = sub %columns, 1
        %end_column = mul %end_column, s8
        %end_column = sub %end_column, s10
        %blind = ge.s32 %end_column, %width
        @%blind trap kernel_wrong_sizes
        # a window of one pixel sees positions in a row: one line of them
        %one = eq %kernel_h, 1
        %one_w = eq %kernel_w, 1
        %one = pand %one, %one_w
        %alike = eq s7, 1
        %one = pand %one, %alike
        %alike = eq s8, 1
        %one = pand %one, %alike
        %alike = eq %rows, %height
        %one = pand %one, %alike
        %alike = eq %columns, %width
        %one = pand %one, %alike
        @%one %columns = mul %positions, %images
        @%one %width = mov %columns
        @%one %rows = mov 1
        @%one %height = mov 1
        @%one %images = mov 1
        sst [%frame + n_images], %images
        sst [%frame + n_height], %height
        sst [%frame + n_width], %width
        sst [%frame + n_channels], %channels
        sst [%frame + n_kernel_h], %kernel_h
        sst [%frame + n_kernel_w], %kernel_w
        sst [%frame + n_rows], %rows
        sst [%frame + n_columns], %columns
        sst [%frame + n_stride_h], s7
        sst [%frame + n_stride_w], s8
        sst [%frame + n_pad_h], s9
        sst [%frame + n_pad_w], s10
        %words = add %channels, 1
        %words = shr %words, 1
        sst [%frame + n_words], %words
        %out_words = add %outputs, 1
        %out_words = shr %out_words, 1
        sst [%frame + n_out_words], %out_words
        # a window sees less than its own size outside, so a longer stride counts like its size
        %by_h = min.u32 s7, %kernel_h
        %step_h = sub %by_h, 1
        sst [%frame + n_step_h], %step_h
        conv_inverse %inverse_h, %by_h, _h
        sst [%frame + n_inverse_h], %inverse_h
        %by_w = min.u32 s8, %kernel_w
        %step_w = sub %by_w, 1
        sst [%frame + n_step_w], %step_w
        conv_inverse %inverse_w, %by_w, _w
        sst [%frame + n_inverse_w], %inverse_w
        # chunks of a tile: pixels that fit the lanes, or word tiles of one pixel
        %group = mov 0
        %filled = mov %words
conv_group:
        %filled = add %filled, %words
        %group = add %group, 1
        %group_again = le.u32 %filled, LANES
        @%group_again br conv_group
        %group = min.u32 %group, %kernel_w
        sst [%frame + n_group], %group
        %tiles = mov 0
        %covered = mov 0
conv_tiles:
        %covered = add %covered, %group
        %tiles = add %tiles, 1
        %tiles_again = lt.u32 %covered, %kernel_w
        @%tiles_again br conv_tiles
        %word_tiles = add %words, LANES - 1
        %word_tiles = shr %word_tiles, lanes_log2
        %tiles = mul %tiles, %word_tiles
        %tiles = mul %tiles, %kernel_h
        sst [%frame + n_tiles], %tiles
        # a panel: rows of y, or a part of one
        %panel_columns = min.u32 %columns, panel
        sst [%frame + n_panel_columns], %panel_columns
        %panel_rows = mov 0
        %filled = mov %panel_columns
conv_panel:
        %filled = add %filled, %panel_columns
        %panel_rows = add %panel_rows, 1
        %panel_again = le.u32 %filled, panel
        @%panel_again br conv_panel
        %panel_rows = min.u32 %panel_rows, %rows
        sst [%frame + n_panel_rows], %panel_rows
        describe a_copy, hbm, vmem, 24
        describe left_copy, hbm, vmem, 24
        describe right_copy, hbm, vmem, 24
        describe_tensor a_copy, copy_source, s4
        describe_tensor left_copy, copy_source, s4
        describe_tensor right_copy, copy_source, s4
        describe_rows a_copy, copy_target
        describe_rows left_copy, copy_target
        describe_rows right_copy, copy_target
        %x_bytes = shl %words, 2
        %x_step = mul %x_bytes, s8
        sst [%frame + a_copy + copy_inner_source_stride], %x_step
        ssti [%frame + a_copy + copy_inner_target_stride], ROW_BYTES
        %x_line = mul %x_bytes, %width
        %x_line = mul %x_line, s7
        %panel_line = shl %panel_columns, log2(ROW_BYTES)
        sst [%frame + a_copy + copy_middle_source_stride], %x_line
        sst [%frame + a_copy + copy_middle_target_stride], %panel_line
        sst [%frame + left_copy + copy_middle_source_stride], %x_line
        sst [%frame + left_copy + copy_middle_target_stride], %panel_line
        sst [%frame + right_copy + copy_middle_source_stride], %x_line
        sst [%frame + right_copy + copy_middle_target_stride], %panel_line
        describe b_copy, hbm, vmem, 24
        describe_tensor b_copy, copy_source, s5
        describe_rows b_copy, copy_target, panel
        ssti [%frame + b_copy + copy_inner_target_stride], ROW_BYTES
        %k_bytes = sld [s5 + argument_pitch]
        sst [%frame + b_copy + copy_inner_source_stride], %k_bytes
        %k_words = shr %k_bytes, 2
        sst [%frame + n_k_pitch], %k_words
        %k_pixel = mul %k_bytes, %channels
        sst [%frame + b_copy + copy_middle_source_stride], %k_pixel
        %k_rows = shl %words, log2(ROW_BYTES) + 1
        sst [%frame + b_copy + copy_middle_target_stride], %k_rows
        %y_bytes = shl %out_words, 2
        conv_describe_y
.rept this_position - next_image + 1, i
        ssti [%frame + next_image + \i], 0
.endr
        ssti [%frame + n_loads], 0
        .endlinear

        # from here on the registers of the tensors are free for other things
        .linear
        %frame = sub s2, frame_words
        %stores = mov 0
        %far = mov s3
        conv_zero %far, 0, chunk_rows / 8, _a
        conv_rows _z
        conv_load_whole _a
        %far = add s3, chunk_rows
        conv_zero %far, 0, chunk_rows / 8, _b
        conv_load_whole _b
        conv_columns _third
        %here = mov s3
        %there = mov %far
        %far = add s3, 2 * chunk_rows
        conv_zero %far, panel, depth / 8, _third
        matmul_prepare
        conv_count %count, _begin
        matmul_groups_of %rounds, %count, _begin
        sst [%frame + frame_rounds], %rounds
        wait f24, %needed
.rept LANES / 8, i
        matmul_weight 0, 0, %here, \i, _\i
        matmul_push_weight 0, 0, \i, _\i
.endr
        %first = eq s0, 0
        %before = ne s0, s0
        %k_left = sld [%frame + n_tiles]
        %last = eq %k_left, 1
        br conv2d_first
        conv_chunks
        .endlinear

        .scratch conv2d, kernel_rows, 512
