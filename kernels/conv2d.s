# conv2d: two-dimensional convolution, bf16, sums in fp32:
# y[n, i, j, o] = sum over h, w, c of x[n, i*stride_h + h - pad_h, j*stride_w + w - pad_w, c] k[h, w, c, o],
# x being zero outside. What is padded below and to the right follows from the sizes of y.
#   s4 x [images, height, width, channels], s5 k [kernel height, kernel width, channels, outputs],
#   s6 y [images, rows, columns, outputs], s7 stride_h, s8 stride_w, s9 pad_h, s10 pad_w
# Traps when sizes do not belong together. Within 2^-8 |y| + terms 2^-24 sum |x k|.
#
# Nothing is ever laid out anew: a panel is up to 8 `registers` positions of one row of y, and what
# meets the weights [channels, outputs] of one h and w are the pixels at its distance, which a copy
# with strides brings. A chunk is one h, w and word tile of channels; the next one comes while this
# one multiplies. Parts of words are as in matmul.inc. Where a row of y sees the outside, the panel's
# rows there are zero, and whole rows of the window outside are left out.

        .include "common.inc"

.if LANES == 8
        .equ registers, 16
.else
        .equ registers, 32
.endif
        .equ panel, 8 * registers
        .equ depth, 2 * LANES
        .equ chunk_rows, panel + depth
        .equ staging, 2 * chunk_rows
        .equ unroll, 8
        .equ sums_high, registers               # accumulators of the odd outputs

        .equ a_copy, 0
        .equ b_copy, 16
        .equ c_copy, 32
        .equ n_height, 48                       # numbers of the frame
        .equ n_width, 49
        .equ n_channels, 50
        .equ n_words, 51                        # of channels
        .equ n_kernel_h, 52
        .equ n_kernel_w, 53
        .equ n_out_words, 54
        .equ n_rows, 55
        .equ n_columns, 56
        .equ n_stride_h, 57
        .equ n_stride_w, 58
        .equ n_pad_h, 59
        .equ n_pad_w, 60
        .equ n_x_pitch, 61                      # words of a pixel, of a row of k, of a position of y
        .equ n_k_pitch, 62
        .equ n_y_pitch, 63
        .equ n_images, 64
        .equ n_image, 65
        .equ n_row, 66
        .equ n_first, 67                        # column where the panel begins
        .equ n_out, 68                          # word of the outputs
        .equ n_h, 69                            # of the chunk that is loaded next
        .equ n_w, 70
        .equ n_c, 71                            # word of the channels
        .equ n_h_end, 72                        # behind the last row of the window that is inside
        .equ n_there, 73                        # 0 or 1: the buffer that is loaded next
        .equ n_loads, 74
        .equ n_ragged, 75                       # of the chunk loaded: words of channels, 0: all
        .equ n_ragged_rows, 76                  # and rows of k
        .equ n_count, 77                        # positions of the panel
        .equ frame_words, 96

# Starts the copies of the chunk at n_h, n_w, n_c and moves on; n_h at its end means there is none.
.macro conv_load id
        %h\id = sld [%frame + n_h]
        %h_end\id = sld [%frame + n_h_end]
        %over\id = ge.s32 %h\id, %h_end\id
        @%over\id br conv_no_load\id
        # columns of y whose pixel is inside: [%low, %high)
        %w\id = sld [%frame + n_w]
        %pad_w\id = sld [%frame + n_pad_w]
        %stride_w\id = sld [%frame + n_stride_w]
        %width\id = sld [%frame + n_width]
        %count\id = sld [%frame + n_count]
        %first\id = sld [%frame + n_first]
        %pixel\id = mul %first\id, %stride_w\id
        %pixel\id = add %pixel\id, %w\id
        %pixel\id = sub %pixel\id, %pad_w\id    # of the first column
        %low\id = mov 0
        %high\id = mov %count\id
        %last\id = sub %count\id, 1
        %last\id = mul %last\id, %stride_w\id
        %last\id = add %last\id, %pixel\id
        %outside\id = lt.s32 %pixel\id, 0
        @!%outside\id br conv_right\id
conv_left\id:
        %low\id = add %low\id, 1
        %pixel\id = add %pixel\id, %stride_w\id
        %outside\id = lt.s32 %pixel\id, 0
        @%outside\id br conv_left\id
conv_right\id:
        %beyond\id = ge.s32 %last\id, %width\id
        @!%beyond\id br conv_range\id
conv_cut\id:
        %high\id = sub %high\id, 1
        %last\id = sub %last\id, %stride_w\id
        %beyond\id = ge.s32 %last\id, %width\id
        @%beyond\id br conv_cut\id
conv_range\id:
        %slot\id = sld [%frame + n_there]
        %to\id = mul %slot\id, chunk_rows
        %a\id = add %to\id, s3
        %run\id = sub %high\id, %low\id
        %run\id = max.s32 %run\id, 0
        %all\id = eq %run\id, %count\id
        @%all\id br conv_whole\id
        %zero\id = vmov 0
.rept registers, i
        vst [%a\id + 8 * \i], %zero\id
.endr
conv_whole\id:
        sst [%frame + a_copy + copy_inner], %run\id
        %c\id = sld [%frame + n_c]
        %words\id = sld [%frame + n_words]
        %left\id = sub %words\id, %c\id
        %length\id = min.u32 %left\id, LANES
        %part\id = lt.u32 %left\id, LANES
        %ragged\id = sel %part\id, %left\id, s0
        sst [%frame + n_ragged], %ragged\id
        %length\id = shl %length\id, 2
        sst [%frame + a_copy + copy_length], %length\id
        # the pixel's offset: ((image * height + i*stride_h + h - pad_h) * width + column) * pitch
        %image\id = sld [%frame + n_image]
        %height\id = sld [%frame + n_height]
        %row\id = sld [%frame + n_row]
        %stride_h\id = sld [%frame + n_stride_h]
        %pad_h\id = sld [%frame + n_pad_h]
        %from\id = mul %image\id, %height\id
        %y\id = mul %row\id, %stride_h\id
        %y\id = add %y\id, %h\id
        %y\id = sub %y\id, %pad_h\id
        %from\id = add %from\id, %y\id
        %from\id = mul %from\id, %width\id
        %from\id = add %from\id, %pixel\id
        %x_pitch\id = sld [%frame + n_x_pitch]
        %from\id = mul %from\id, %x_pitch\id
        %from\id = add %from\id, %c\id
        %a_to\id = add %to\id, %low\id
        %a_to\id = shl %a_to\id, lanes_log2
        %none\id = eq %run\id, 0
        %from\id = sel %none\id, s0, %from\id
        copy [%frame + a_copy], %from\id, %a_to\id
        # rows of k
        %kernel_w\id = sld [%frame + n_kernel_w]
        %channels\id = sld [%frame + n_channels]
        %c_rows\id = shl %c\id, 1
        %k_row\id = mul %h\id, %kernel_w\id
        %k_row\id = add %k_row\id, %w\id
        %k_row\id = mul %k_row\id, %channels\id
        %k_row\id = add %k_row\id, %c_rows\id
        %k_left\id = sub %channels\id, %c_rows\id
        %k_count\id = min.u32 %k_left\id, depth
        sst [%frame + n_ragged_rows], %k_count\id
        sst [%frame + b_copy + copy_inner], %k_count\id
        %out\id = sld [%frame + n_out]
        %out_words\id = sld [%frame + n_out_words]
        %wide\id = sub %out_words\id, %out\id
        %wide\id = min.u32 %wide\id, LANES
        %wide\id = shl %wide\id, 2
        sst [%frame + b_copy + copy_length], %wide\id
        %k_pitch\id = sld [%frame + n_k_pitch]
        %k_from\id = mul %k_row\id, %k_pitch\id
        %k_from\id = add %k_from\id, %out\id
        %b_to\id = shl %to\id, lanes_log2
        copy [%frame + b_copy], %k_from\id, %b_to\id
        %loads\id = sld [%frame + n_loads]
        %loads\id = add %loads\id, 2
        sst [%frame + n_loads], %loads\id
        %slot\id = xor %slot\id, 1
        sst [%frame + n_there], %slot\id
        # on to the next
        %c\id = add %c\id, LANES
        %c_over\id = ge.u32 %c\id, %words\id
        %c\id = sel %c_over\id, s0, %c\id
        sst [%frame + n_c], %c\id
        @%c_over\id %w\id = add %w\id, 1
        %w_over\id = ge.u32 %w\id, %kernel_w\id
        %w\id = sel %w_over\id, s0, %w\id
        sst [%frame + n_w], %w\id
        @%w_over\id %h\id = add %h\id, 1
        sst [%frame + n_h], %h\id
conv_no_load\id:
.endm

# Part `p` of the channels by part `q` of the outputs, for all registers of the panel.
.macro conv_part p, q, id
.rept LANES / 8, i
        conv_push \p, \q, \i, \id\()_\i
.endr
        %acc = mov \q * sums_high
        %x_at = mov %here
        %end = add %used, \q * sums_high
.if \p == 0
        @!%begins br conv_add\id
        conv_group \p, _f\id, rows=8, swap
        %done\id = ge.u32 %acc, %end
        @%done\id br conv_done\id
conv_first\id:
        conv_group \p, _g\id, rows=8
        %again_g\id = lt.u32 %acc, %end
        @%again_g\id br conv_first\id
        br conv_done\id
conv_add\id:
.endif
        conv_group \p, _h\id, add, swap
        %done_h\id = ge.u32 %acc, %end
        @%done_h\id br conv_done\id
conv_more\id:
        conv_group \p, _i\id, add
        %again_i\id = lt.u32 %acc, %end
        @%again_i\id br conv_more\id
conv_done\id:
.endm

.macro conv_push p, q, i, id
        %wt\id = vld [%here + panel + \p + 16 * \i], stride=2
.if \q == 0
        mxpush 8 * \i, %wt\id\().lo
.else
        mxpush 8 * \i, %wt\id\().hi
.endif
.endm

.macro conv_group p, id, sum, first=
.rept unroll, i
        conv_multiply \p, \i, \id\()_\i, \sum, \first
.endr
        %acc = add %acc, unroll
        %x_at = add %x_at, 8 * unroll
.endm

.macro conv_multiply p, i, id, sum, first
        %xx\id = vld [%x_at + 8 * \i]
.ifdef conv_is_\first
.if \i == 0
        conv_\first \p, %xx\id, \sum
.else
        conv_plain \p, \i, %xx\id, \sum
.endif
.else
        conv_plain \p, \i, %xx\id, \sum
.endif
.endm
        .equ conv_is_swap, 1

.macro conv_swap p, x, sum
.if \p == 0
        mxmul.bf16 a[%acc], \x\().lo, \sum, swap
.else
        mxmul.bf16 a[%acc], \x\().hi, \sum, swap
.endif
.endm

.macro conv_plain p, i, x, sum
.if \p == 0
        mxmul.bf16 a[%acc + \i], \x\().lo, \sum
.else
        mxmul.bf16 a[%acc + \i], \x\().hi, \sum
.endif
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
        describe a_copy, hbm, vmem, 24
        describe_tensor a_copy, copy_source, s4
        describe_rows a_copy, copy_target
        ssti [%frame + a_copy + copy_inner_target_stride], ROW_BYTES
        %x_bytes = sld [s4 + argument_pitch]
        %x_words = shr %x_bytes, 2
        sst [%frame + n_x_pitch], %x_words
        %x_step = mul %x_bytes, s8
        sst [%frame + a_copy + copy_inner_source_stride], %x_step
        describe b_copy, hbm, vmem, 24
        describe_tensor b_copy, copy_source, s5
        describe_rows b_copy, copy_target, panel
        ssti [%frame + b_copy + copy_inner_target_stride], ROW_BYTES
        %k_bytes = sld [s5 + argument_pitch]
        sst [%frame + b_copy + copy_inner_source_stride], %k_bytes
        %k_words = shr %k_bytes, 2
        sst [%frame + n_k_pitch], %k_words
        describe c_copy, vmem, hbm, 25
        describe_tensor c_copy, copy_target, s6
        describe_rows c_copy, copy_source, staging
        ssti [%frame + c_copy + copy_inner_source_stride], ROW_BYTES
        %y_bytes = sld [s6 + argument_pitch]
        sst [%frame + c_copy + copy_inner_target_stride], %y_bytes
        %y_words = shr %y_bytes, 2
        sst [%frame + n_y_pitch], %y_words
        ssti [%frame + n_image], 0
        ssti [%frame + n_row], 0
        ssti [%frame + n_first], 0
        ssti [%frame + n_out], 0
        ssti [%frame + n_there], 0
        ssti [%frame + n_loads], 0
        %zero = vmov 0
        %clear = mov s3
        %clear_end = add s3, staging
conv_clear:
        vst [%clear], %zero
        %clear = add %clear, 8
        %clear_again = lt.u32 %clear, %clear_end
        @%clear_again br conv_clear
        .endlinear

        .linear
        %frame = sub s2, frame_words
        %stores = mov 0
        %lane = vlane
        %zero = vmov 0
        %slot = mov 0
# A tile of y: positions of a panel, outputs of a word tile.
conv_tile:
        %columns = sld [%frame + n_columns]
        %first = sld [%frame + n_first]
        %count = sub %columns, %first
        %count = min.u32 %count, panel
        sst [%frame + n_count], %count
        %used = add %count, 8 * unroll - 1
        %used = shr %used, log2(8 * unroll)
        %used = shl %used, log2(unroll)
        # rows of the window inside: from pad_h - i*stride_h to height + that
        %row = sld [%frame + n_row]
        %stride_h = sld [%frame + n_stride_h]
        %pad_h = sld [%frame + n_pad_h]
        %height = sld [%frame + n_height]
        %kernel_h = sld [%frame + n_kernel_h]
        %begin = mul %row, %stride_h
        %begin = sub %pad_h, %begin
        %h_end = add %begin, %height
        %h_end = min.s32 %h_end, %kernel_h
        %h_first = max.s32 %begin, 0
        sst [%frame + n_h], %h_first
        sst [%frame + n_h_end], %h_end
        ssti [%frame + n_w], 0
        ssti [%frame + n_c], 0
        conv_load _a
        %begins = eq s0, 0
conv_chunk:
        # what is known of this chunk is overwritten by the next one's load
        %ragged = sld [%frame + n_ragged]
        %k_rows = sld [%frame + n_ragged_rows]
        %needed = sld [%frame + n_loads]
        conv_load _b
        wait f24, %needed
        %here = mul %slot, chunk_rows
        %here = add %here, s3
        %slot = xor %slot, 1
        %is_whole = eq %ragged, 0
        @%is_whole br conv_lanes_done
        %beyond = vle.s32 %ragged, %lane
.rept registers, i
        vst [%here + 8 * \i], %zero, mask=%beyond
.endr
conv_lanes_done:
        %all_rows = eq %k_rows, depth
        @%all_rows br conv_rows_done
        %edge = add %here, %k_rows
        %edge_end = add %here, depth
conv_edge_row:
        vst [%edge + panel], %zero, rows=1
        %edge = add %edge, 1
        %edge_again = lt.u32 %edge, %edge_end
        @%edge_again br conv_edge_row
conv_rows_done:
        conv_part 0, 0, _00
        conv_part 0, 1, _01
        conv_part 1, 0, _10
        conv_part 1, 1, _11
        %begins = ne s0, s0
        %now = sld [%frame + n_loads]
        %chunk_again = ne %now, %needed
        @%chunk_again br conv_chunk

        wait f25, %stores
        %r = mov 0
        %pack = mov s3
conv_pack:
        %low = mxread a[%r]
        %high = mxread a[%r + sums_high]
        %both = vpack.bf16 %low, %high
        vst [%pack + staging], %both
        %pack = add %pack, 8
        %r = add %r, 1
        %pack_again = lt.u32 %r, %used
        @%pack_again br conv_pack
        %count2 = sld [%frame + n_count]
        sst [%frame + c_copy + copy_inner], %count2
        %out = sld [%frame + n_out]
        %out_words = sld [%frame + n_out_words]
        %wide = sub %out_words, %out
        %wide = min.u32 %wide, LANES
        %wide = shl %wide, 2
        sst [%frame + c_copy + copy_length], %wide
        %image = sld [%frame + n_image]
        %rows = sld [%frame + n_rows]
        %row2 = sld [%frame + n_row]
        %columns2 = sld [%frame + n_columns]
        %first2 = sld [%frame + n_first]
        %y_pitch = sld [%frame + n_y_pitch]
        %y_at = mul %image, %rows
        %y_at = add %y_at, %row2
        %y_at = mul %y_at, %columns2
        %y_at = add %y_at, %first2
        %y_at = mul %y_at, %y_pitch
        %y_at = add %y_at, %out
        copy [%frame + c_copy], s0, %y_at
        %stores = add %stores, 1
        # outputs, then panels of the row, then rows, then images
        %out = add %out, LANES
        %out_over = ge.u32 %out, %out_words
        %out = sel %out_over, s0, %out
        sst [%frame + n_out], %out
        @%out_over %first2 = add %first2, panel
        %first_over = ge.u32 %first2, %columns2
        %first2 = sel %first_over, s0, %first2
        sst [%frame + n_first], %first2
        @%first_over %row2 = add %row2, 1
        %row_over = ge.u32 %row2, %rows
        %row2 = sel %row_over, s0, %row2
        sst [%frame + n_row], %row2
        @%row_over %image = add %image, 1
        sst [%frame + n_image], %image
        %images = sld [%frame + n_images]
        %tile_again = lt.u32 %image, %images
        @%tile_again br conv_tile
        wait f25, %stores
        fset f24, 0
        fset f25, 0
        ret s1
        .endlinear
