# flash_attention: causal grouped-query attention. For every query head h and position t,
# out[t, h] = softmax(q[t, h] . k[s, g] / sqrt(size), s <= t) v[s, g], g the key head of h. All bf16;
# scores, softmax and sums fp32, the weights of v rounded to bf16. Any number of positions: scores
# exist for one block at a time.
#   s4 q [positions, heads, size], s5 k and s6 v [positions, key heads, size], s7 out like q
# Traps when the sizes do not belong together or size is above 128. Within 2^-7 sum of p |v|.
#
# A block of queries (8 `registers` rows) meets one block of keys (`tiles` times L positions) after the
# other; the next one is loaded meanwhile. Dimensions come in tiles of L: a word tile of L words gives
# two, its low and its high halves; where a head has at most L / 2 words, they are loaded twice beside
# each other and one tile has both halves. Scores stay in the accumulators until softmax turns them
# into weights; m (maxima), l (sums by lane) and the unscaled result are kept in VMEM.

        .include "common.inc"

.if LANES == 8
        .equ registers, 2
        .equ tiles, 2
        .equ unroll, 2
.else
        .equ registers, 32
        .equ tiles, 2
        .equ unroll, 8
.endif
        .equ queries, 8 * registers             # of a block
        .equ keys, tiles * LANES
        .equ most_size, 128
        .equ most_words, max(1, most_size / 2 / LANES)          # word tiles
        .equ most_parts, max(1, most_size / LANES)              # tiles of dimensions

        # VMEM, rows; what softmax uses has one vector a register of queries
        .equ weights, 0                         # p: `tiles` arrays
        .equ maxima, weights + tiles * queries
        .equ sums, maxima + queries
        .equ factors, sums + queries            # what the result so far is multiplied by
        .equ query_parts, factors + queries     # fp32, tile by tile
        .equ results, query_parts + most_parts * queries
        .equ query_words, results + most_parts * queries
        .equ packed, query_words + most_words * queries
        .equ key_rows, packed + most_words * queries            # two buffers of keys, two of values
        .equ value_rows, key_rows + 2 * most_words * keys
        .equ attention_rows, value_rows + 2 * most_words * keys
.if attention_rows > kernel_rows
        .error "kernel_rows is too small for attention"
.endif

        .equ q_copy, 0                          # descriptors: whole word tiles, then the ragged one
        .equ k_copy, 32
        .equ v_copy, 64
        .equ o_copy, 96
        .equ n_positions, 128                   # numbers in the frame
        .equ n_words, 129                       # of a head
        .equ n_whole, 130                       # word tiles
        .equ n_tail, 131                        # words of the ragged one
        .equ n_twice, 132                       # 1: loaded twice beside each other
        .equ n_parts, 133                       # tiles of dimensions
        .equ n_word_tiles, 134
        .equ n_q_pitch, 135                     # words from position to position
        .equ n_k_pitch, 136
        .equ n_group, 137                       # query heads a key head
        .equ n_copies, 138                      # of a block
        .equ n_scale, 139
        .equ n_heads, 140
        .equ n_head, 141
        .equ n_in_group, 142
        .equ n_q_head, 143                      # word offsets of the heads
        .equ n_k_head, 144
        .equ n_first, 145                       # position of the block of queries
        .equ n_last, 146                        # behind the last one
        .equ n_loads, 147                       # copies of keys and values so far
        .equ n_next_key, 148                    # position of the block of keys that is loaded next
        .equ n_next_slot, 149
        .equ n_used, 150                        # registers of queries in the block, in whole rounds
        .equ frame_words, 160

# Two descriptors for blocks of `rows` positions a word tile.
.macro attention_describe at, from, to, flag, pitch, rows
        describe \at, \from, \to, \flag
        describe \at + 16, \from, \to, \flag
        ssti [%frame + \at + copy_length], ROW_BYTES
        sst [%frame + \at + 16 + copy_length], %tail_bytes
        sst [%frame + \at + copy_middle], %whole
.if \at == o_copy
        .equ attention_here_\at, copy_inner_source_stride
        .equ attention_there_\at, copy_inner_target_stride
        .equ attention_tile_\at, copy_middle_source_stride
        .equ attention_out_\at, copy_middle_target_stride
.else
        .equ attention_here_\at, copy_inner_target_stride
        .equ attention_there_\at, copy_inner_source_stride
        .equ attention_tile_\at, copy_middle_target_stride
        .equ attention_out_\at, copy_middle_source_stride
.endif
        ssti [%frame + \at + attention_here_\at], ROW_BYTES
        ssti [%frame + \at + 16 + attention_here_\at], ROW_BYTES
        sst [%frame + \at + attention_there_\at], \pitch
        sst [%frame + \at + 16 + attention_there_\at], \pitch
        ssti [%frame + \at + attention_tile_\at], \rows * ROW_BYTES
        ssti [%frame + \at + attention_out_\at], ROW_BYTES
.endm

# Starts the copies of %count positions: from word `from` of memory to VMEM word offset `to`.
.macro attention_load at, rows, from, to, id
        sst [%frame + \at + copy_inner], %count
        sst [%frame + \at + 16 + copy_inner], %count
        %al_whole\id = sld [%frame + n_whole]
        %al_words\id = sld [%frame + n_words]
        %al_from\id = shl %al_whole\id, lanes_log2
        %al_from\id = add %al_from\id, \from
        %al_to\id = mul %al_whole\id, \rows * LANES
        %al_to\id = add %al_to\id, \to
        %al_has\id = ne %al_whole\id, 0
        @%al_has\id copy [%frame + \at], \from, \to
        %al_tail\id = sld [%frame + n_tail]
        %al_ragged\id = ne %al_tail\id, 0
        @%al_ragged\id copy [%frame + \at + 16], %al_from\id, %al_to\id
        %al_twice\id = sld [%frame + n_twice]
        %al_again\id = ne %al_twice\id, 0
        %al_beside\id = add %al_to\id, %al_words\id
        @%al_again\id copy [%frame + \at + 16], %al_from\id, %al_beside\id
.endm

# The next block of keys and values, if the block of queries sees it.
.macro attention_load_keys id
        %lk_at\id = sld [%frame + n_next_key]
        %lk_last\id = sld [%frame + n_last]
        %lk_none\id = ge.u32 %lk_at\id, %lk_last\id
        @%lk_none\id br attention_no_keys\id
        %lk_all\id = sld [%frame + n_positions]
        %count = sub %lk_all\id, %lk_at\id
        %count = min.u32 %count, keys
        %lk_pitch\id = sld [%frame + n_k_pitch]
        %lk_head\id = sld [%frame + n_k_head]
        %lk_from\id = mul %lk_at\id, %lk_pitch\id
        %lk_from\id = add %lk_from\id, %lk_head\id
        %lk_slot\id = sld [%frame + n_next_slot]
        %lk_to\id = mul %lk_slot\id, most_words * keys * LANES
        attention_load k_copy, keys, %lk_from\id, %lk_to\id, _k\id
        attention_load v_copy, keys, %lk_from\id, %lk_to\id, _v\id
        %lk_slot\id = xor %lk_slot\id, 1
        sst [%frame + n_next_slot], %lk_slot\id
        %lk_at\id = add %lk_at\id, keys
        sst [%frame + n_next_key], %lk_at\id
        %lk_copies\id = sld [%frame + n_copies]
        %lk_loads\id = sld [%frame + n_loads]
        %lk_loads\id = add %lk_loads\id, %lk_copies\id
        %lk_loads\id = add %lk_loads\id, %lk_copies\id
        sst [%frame + n_loads], %lk_loads\id
attention_no_keys\id:
.endm

# Values of one tile of positions times their weights: a[r] for all registers that see it.
.macro attention_weigh_tile g
.rept LANES / 8, i
        %vw\g\()_\i = vld [%words_at + value_rows + LANES * \g + 8 * \i]
        %vu\g\()_\i = vsel %low_mask_v, %vw\g\()_\i\().lo, %vw\g\()_\i\().hi
        mxpush 8 * \i, %vu\g\()_\i\().f32
.endr
        %to = mov %skip
        %at = add s3, %skip_rows
        attention_weigh_group \g, 1, swap
        %more\g = lt.u32 %to, %limit
        @!%more\g br attention_weighed\g
attention_weigh_loop\g:
        attention_weigh_group \g, 0, rows=8
        %again\g = lt.u32 %to, %limit
        @%again\g br attention_weigh_loop\g
attention_weighed\g:
.endm

.macro attention_weigh_group g, first, option
.if \g > 0
        %wy\g\()_\first = vld [%at + weights + queries * \g]
        mxmul.bf16 a[%to], %wy\g\()_\first\().f32, add, \option
.else
        %wy\g\()_\first = vld [%at + weights + queries * \g]
        mxmul.bf16 a[%to], %wy\g\()_\first\().f32, \option
.endif
.rept unroll - 1, i
        attention_weigh_one \g, (\i + 1), \first\()_\i
.endr
        %to = add %to, unroll
        %at = add %at, 8 * unroll
.endm

.macro attention_weigh_one g, r, id
        %wz\g\()_\id = vld [%at + weights + queries * \g + 8 * \r]
.if \g > 0
        mxmul.bf16 a[%to + \r], %wz\g\()_\id\().f32, add
.else
        mxmul.bf16 a[%to + \r], %wz\g\()_\id\().f32
.endif
.endm

        .global flash_attention
        .linear flash_attention
        %frame = sub s2, frame_words
        %positions = sld [s4 + argument_sizes]
        %heads = sld [s4 + argument_sizes + 1]
        %size = sld [s4 + argument_sizes + 2]
        %key_heads = sld [s5 + argument_sizes + 1]
        %k_positions = sld [s5 + argument_sizes]
        %v_positions = sld [s6 + argument_sizes]
        %v_heads = sld [s6 + argument_sizes + 1]
        %k_size = sld [s5 + argument_sizes + 2]
        %v_size = sld [s6 + argument_sizes + 2]
        %o_positions = sld [s7 + argument_sizes]
        %o_heads = sld [s7 + argument_sizes + 1]
        %o_size = sld [s7 + argument_sizes + 2]
        refuse_unless_equal %positions, %k_positions
        refuse_unless_equal %positions, %v_positions
        refuse_unless_equal %positions, %o_positions
        refuse_unless_equal %size, %k_size
        refuse_unless_equal %size, %v_size
        refuse_unless_equal %size, %o_size
        refuse_unless_equal %key_heads, %v_heads
        refuse_unless_equal %heads, %o_heads
        %no_positions = eq %positions, 0
        @%no_positions ret s1
        %no_heads = eq %heads, 0
        @%no_heads ret s1
        %no_size = eq %size, 0
        @%no_size ret s1
        %no_keys = eq %key_heads, 0
        @%no_keys trap kernel_wrong_sizes
        %too_large = gt.u32 %size, most_size
        @%too_large trap kernel_too_large
        # heads / key heads, by counting
        %group = mov 0
        %counted = mov 0
attention_count:
        %group = add %group, 1
        %counted = add %counted, %key_heads
        %counts = lt.u32 %counted, %heads
        @%counts br attention_count
        refuse_unless_equal %counted, %heads
        sst [%frame + n_group], %group
        sst [%frame + n_heads], %heads
        sst [%frame + n_positions], %positions
        %words = add %size, 1
        %words = shr %words, 1
        sst [%frame + n_words], %words
        %whole = shr %words, lanes_log2
        sst [%frame + n_whole], %whole
        %tail = and %words, LANES - 1
        sst [%frame + n_tail], %tail
        %tail_bytes = shl %tail, 2
        %is_twice = le.u32 %words, LANES / 2
        %one = mov 1
        %twice = sel %is_twice, %one, s0
        sst [%frame + n_twice], %twice
        %has_tail = ne %tail, 0
        %some_tail = sel %has_tail, %one, s0
        %word_tiles = add %whole, %some_tail
        sst [%frame + n_word_tiles], %word_tiles
        %parts = shl %word_tiles, 1
        %parts = sub %parts, %twice
        sst [%frame + n_parts], %parts
        %has_whole = ne %whole, 0
        %some_whole = sel %has_whole, %one, s0
        %copies = add %some_whole, %some_tail
        %copies = add %copies, %twice
        sst [%frame + n_copies], %copies
        %q_head_pitch = sld [s4 + argument_pitch]
        %q_pitch = mul %q_head_pitch, %heads
        %q_words = shr %q_pitch, 2
        sst [%frame + n_q_pitch], %q_words
        %k_pitch = mul %q_head_pitch, %key_heads
        %k_words = shr %k_pitch, 2
        sst [%frame + n_k_pitch], %k_words
        attention_describe q_copy, hbm, vmem, 26, %q_pitch, queries
        describe_tensor q_copy, copy_source, s4
        describe_tensor q_copy + 16, copy_source, s4
        describe_rows q_copy, copy_target, query_words
        describe_rows q_copy + 16, copy_target, query_words
        attention_describe k_copy, hbm, vmem, 24, %k_pitch, keys
        describe_tensor k_copy, copy_source, s5
        describe_tensor k_copy + 16, copy_source, s5
        describe_rows k_copy, copy_target, key_rows
        describe_rows k_copy + 16, copy_target, key_rows
        attention_describe v_copy, hbm, vmem, 24, %k_pitch, keys
        describe_tensor v_copy, copy_source, s6
        describe_tensor v_copy + 16, copy_source, s6
        describe_rows v_copy, copy_target, value_rows
        describe_rows v_copy + 16, copy_target, value_rows
        attention_describe o_copy, vmem, hbm, 25, %q_pitch, queries
        describe_tensor o_copy, copy_target, s7
        describe_tensor o_copy + 16, copy_target, s7
        describe_rows o_copy, copy_source, packed
        describe_rows o_copy + 16, copy_source, packed
        # log2(e) / sqrt(size), in every lane of a vector and so in a scalar
        %size_f32 = vmov %size
        %size_f32 = vcvt.f32.s32 %size_f32
        %root = rsqrt %size_f32
        %scale_vector = vmul.f32 %root, log2_of_e
        %scale = extract %scale_vector, 0
        sst [%frame + n_scale], %scale
        ssti [%frame + n_loads], 0
        ssti [%frame + n_head], 0
        ssti [%frame + n_in_group], 0
        ssti [%frame + n_q_head], 0
        ssti [%frame + n_k_head], 0
        ssti [%frame + n_first], 0
        %zero = vmov 0
        %clear = add s3, query_words
        %clear_end = add s3, attention_rows
attention_clear:
        vst [%clear], %zero
        %clear = add %clear, 8
        %clear_more = lt.u32 %clear, %clear_end
        @%clear_more br attention_clear
        .endlinear

        .linear
        %frame = sub s2, frame_words
        %done_keys = mov 0                      # copies of keys and values that were waited for
        %stores = mov 0
        # lanes that hold low halves where one tile has both
        %split = sld [%frame + n_words]
        %lane = vlane
        %is_low = vlt.s32 %lane, %split

# A block of queries: they come, and the first keys behind them.
attention_queries:
        %first = sld [%frame + n_first]
        %positions = sld [%frame + n_positions]
        %count = sub %positions, %first
        %count = min.u32 %count, queries
        %last = add %first, %count
        sst [%frame + n_last], %last
        %used = add %count, 8 * unroll - 1
        %used = shr %used, log2(8 * unroll)
        %used = shl %used, log2(unroll)
        sst [%frame + n_used], %used
        ssti [%frame + n_next_key], 0
        ssti [%frame + n_next_slot], 0
        %q_pitch = sld [%frame + n_q_pitch]
        %q_head = sld [%frame + n_q_head]
        %q_from = mul %first, %q_pitch
        %q_from = add %q_from, %q_head
        attention_load q_copy, queries, %q_from, s0, _q
        attention_load_keys _a
        %copies = sld [%frame + n_copies]
        wait f26, %copies
        fset f26, 0
        %minus_infinity = vmov -INF
        %zero = vmov 0
        %at = mov s3
        %n = add s3, queries
attention_begin:
        vst [%at + maxima], %minus_infinity
        vst [%at + sums], %zero
        %at = add %at, 8
        %begin_more = lt.u32 %at, %n
        @%begin_more br attention_begin
        # halves to tiles of their own; what was no number before must not become one in the result
        %number = sld [%frame + n_word_tiles]
        %twice = sld [%frame + n_twice]
        %has_two = eq %twice, 0
        %at = mov s3
        %to = mov s3
attention_unpack_tile:
        %n = mov registers
attention_unpack:
        %word = vld [%at + query_words]
        %both = vsel %is_low, %word.lo, %word.hi
        %low = vmov %word.lo
        @%has_two vst [%to + query_parts], %low
        @!%has_two vst [%to + query_parts], %both
        %high = vmov %word.hi
        @%has_two vst [%to + query_parts + queries], %high
        vst [%to + results], %zero
        @%has_two vst [%to + results + queries], %zero
        %at = add %at, 8
        %to = add %to, 8
        %n = sub %n, 1
        %unpack_more = ne %n, 0
        @%unpack_more br attention_unpack
        %to = add %to, queries
        %number = sub %number, 1
        %tiles_more = ne %number, 0
        @%tiles_more br attention_unpack_tile

        %key = mov 0                            # position of this block of keys
        %slot = mov 0
attention_keys:
        attention_load_keys _b
        %each = sld [%frame + n_copies]
        %each = shl %each, 1
        %done_keys = add %done_keys, %each
        wait f24, %done_keys
        # registers of queries in front of the first key see none of these keys
        %first2 = sld [%frame + n_first]
        %skip = sub %key, %first2
        %skip = max.s32 %skip, 0
        %skip = shr %skip, log2(8 * unroll)
        %skip = shl %skip, log2(unroll)         # registers, a multiple of the unrolling
        %skip_rows = shl %skip, 3
        %buffer = mul %slot, most_words * keys
        %buffer = add %buffer, s3

        # scores: a[tile * registers + r] = sum over parts of query part r times the keys' part
        %tile = mov 0
attention_score_tile:
        %number = mov 0
        %tile_row = shl %tile, lanes_log2
        %words_at = add %buffer, %tile_row
        %row = add s3, %skip_rows
        %acc_first = mul %tile, registers
        %acc_first = add %acc_first, %skip
        %limit = mul %tile, registers
        %score_used = sld [%frame + n_used]
        %limit = add %limit, %score_used
attention_score_part:
        # odd parts are the high halves, where there are two tiles a word
        %odd = and %number, 1
        %is_odd = eq %odd, 1
        %twice2 = sld [%frame + n_twice]
        %both_halves = eq %twice2, 1
        %odd_lane = sel %is_odd, s0, LANES
        %low_lanes = sld [%frame + n_words]
        %low_lanes = sel %both_halves, %low_lanes, %odd_lane
        %low_mask = vlt.s32 %lane, %low_lanes
.rept LANES / 8, i
        %kw\i = vld [%words_at + key_rows + 8 * \i]
        %ku\i = vsel %low_mask, %kw\i\().lo, %kw\i\().hi
        mxpusht 8 * \i, %ku\i\().f32
.endr
        %at = mov %row
        %to = mov %acc_first
        %is_first = eq %number, 0
        %x0 = vld [%at + query_parts]
        @!%is_first br attention_score_more
        mxmul.bf16 a[%to], %x0.f32, swap
.rept unroll - 1, i
        %xf\i = vld [%at + query_parts + 8 + 8 * \i]
        mxmul.bf16 a[%to + 1 + \i], %xf\i\().f32
.endr
        %to = add %to, unroll
        %at = add %at, 8 * unroll
        %none_left = ge.u32 %to, %limit
        @%none_left br attention_score_done
attention_score_first_loop:
.rept unroll, i
        %xg\i = vld [%at + query_parts + 8 * \i]
        mxmul.bf16 a[%to + \i], %xg\i\().f32
.endr
        %to = add %to, unroll
        %at = add %at, 8 * unroll
        %score_again = lt.u32 %to, %limit
        @%score_again br attention_score_first_loop
        br attention_score_done
attention_score_more:
        mxmul.bf16 a[%to], %x0.f32, add, swap
.rept unroll - 1, i
        %xh\i = vld [%at + query_parts + 8 + 8 * \i]
        mxmul.bf16 a[%to + 1 + \i], %xh\i\().f32, add
.endr
        %to = add %to, unroll
        %at = add %at, 8 * unroll
        %none_left2 = ge.u32 %to, %limit
        @%none_left2 br attention_score_done
attention_score_loop:
.rept unroll, i
        %xi\i = vld [%at + query_parts + 8 * \i]
        mxmul.bf16 a[%to + \i], %xi\i\().f32, add
.endr
        %to = add %to, unroll
        %at = add %at, 8 * unroll
        %score_again2 = lt.u32 %to, %limit
        @%score_again2 br attention_score_loop
attention_score_done:
        %row = add %row, queries
        # the next word tile behind each second part
        %odd2 = and %number, 1
        %step = mul %odd2, keys
        %words_at = add %words_at, %step
        %number = add %number, 1
        %parts = sld [%frame + n_parts]
        %part_again = lt.u32 %number, %parts
        @%part_again br attention_score_part
        %tile = add %tile, 1
        %tile_again = lt.u32 %tile, tiles
        @%tile_again br attention_score_tile

        # softmax, register by register of queries
        %scale = sld [%frame + n_scale]
        %to = mov %skip
        %at = add s3, %skip_rows
        %limit = sld [%frame + n_used]
        %highest = add %key, keys
        %sees_all = le.u32 %highest, %first2
        @!%sees_all br attention_masked
attention_softmax:
.rept tiles, g
        %s\g = mxread a[%to + registers * \g]
        %t\g = vmul.f32 %s\g, %scale
.endr
        %most = vmax.f32 %t0, %t1
        %row_most = lmax.f32 %most
        %m_old = vld [%at + maxima]
        %m_new = vmax.f32 %m_old, %row_most
        vst [%at + maxima], %m_new
        %m_less = vsub.f32 %m_old, %m_new
        %factor = exp2 %m_less
        vst [%at + factors], %factor
.rept tiles, g
        %d\g = vsub.f32 %t\g, %m_new
        %p\g = exp2 %d\g
        vst [%at + weights + queries * \g], %p\g
.endr
        %l_old = vld [%at + sums]
        %l_less = vmul.f32 %l_old, %factor
        %p_sum = vadd.f32 %p0, %p1
        %l_new = vadd.f32 %l_less, %p_sum
        vst [%at + sums], %l_new
        %at = add %at, 8
        %to = add %to, 1
        %softmax_again = lt.u32 %to, %limit
        @%softmax_again br attention_softmax
        br attention_weigh
attention_masked:
        # %ahead: by how much a lane's key is ahead of its row's query, in tile 0
        %sublane = vsublane
        %ahead = vsub.s32 %lane, %sublane
        %base = sub %key, %first2
        %base = sub %base, %skip_rows
        %ahead = vadd.s32 %ahead, %base
attention_masked_softmax:
.rept tiles, g
        %us\g = mxread a[%to + registers * \g]
        %ut\g = vmul.f32 %us\g, %scale
        %shown\g = vle.s32 %ahead, -(LANES * \g)
        %uv\g = vsel %shown\g, %ut\g, -INF
.endr
        %umost = vmax.f32 %uv0, %uv1
        %urow_most = lmax.f32 %umost
        %um_old = vld [%at + maxima]
        %um_new = vmax.f32 %um_old, %urow_most
        vst [%at + maxima], %um_new
        %um_less = vsub.f32 %um_old, %um_new
        %ufactor = exp2 %um_less
        vst [%at + factors], %ufactor
.rept tiles, g
        %ud\g = vsub.f32 %uv\g, %um_new
        %up\g = exp2 %ud\g
        vst [%at + weights + queries * \g], %up\g
.endr
        %ul_old = vld [%at + sums]
        %ul_less = vmul.f32 %ul_old, %ufactor
        %up_sum = vadd.f32 %up0, %up1
        %ul_new = vadd.f32 %ul_less, %up_sum
        vst [%at + sums], %ul_new
        %ahead = vsub.s32 %ahead, 8
        %at = add %at, 8
        %to = add %to, 1
        %masked_again = lt.u32 %to, %limit
        @%masked_again br attention_masked_softmax

attention_weigh:
        # results: part by part, acc = sum over tiles of weights times values; then the sum so far
        # times its factor, plus that
        %number = mov 0
        %words_at = mov %buffer
        %row = add s3, %skip_rows
        %limit = sld [%frame + n_used]
attention_value_part:
        %odd_v = and %number, 1
        %is_odd_v = eq %odd_v, 1
        %twice3 = sld [%frame + n_twice]
        %both_v = eq %twice3, 1
        %odd_lane_v = sel %is_odd_v, s0, LANES
        %low_lanes_v = sld [%frame + n_words]
        %low_lanes_v = sel %both_v, %low_lanes_v, %odd_lane_v
        %low_mask_v = vlt.s32 %lane, %low_lanes_v
.rept tiles, g
        attention_weigh_tile \g
.endr
        %merged = mov %skip
        %factor_at = add s3, %skip_rows
        %result_at = mov %row
        .disjoint %factor_at, %result_at
attention_merge:
        %f = vld [%factor_at + factors]
        %old = vld [%result_at + results]
        %new = mxread a[%merged]
        %scaled = vmul.f32 %old, %f
        %sum = vadd.f32 %scaled, %new
        vst [%result_at + results], %sum
        %factor_at = add %factor_at, 8
        %result_at = add %result_at, 8
        %merged = add %merged, 1
        %merge_again = lt.u32 %merged, %limit
        @%merge_again br attention_merge
        %row = add %row, queries
        %odd_v2 = and %number, 1
        %v_step = mul %odd_v2, keys
        %words_at = add %words_at, %v_step
        %number = add %number, 1
        %v_parts = sld [%frame + n_parts]
        %value_again = lt.u32 %number, %v_parts
        @%value_again br attention_value_part

        %slot = xor %slot, 1
        %key = add %key, keys
        %last2 = sld [%frame + n_last]
        %keys_again = lt.u32 %key, %last2
        @%keys_again br attention_keys

        # the block's result: divided by the sums, packed, stored
        wait f25, %stores
        %number = sld [%frame + n_word_tiles]
        %twice4 = sld [%frame + n_twice]
        %pairs = eq %twice4, 0
        %at = mov s3
        %n = mov registers
attention_inverse:
        %l = vld [%at + sums]
        %total = lsum.f32 %l
        %inverse = rcp %total
        vst [%at + factors], %inverse
        %at = add %at, 8
        %n = sub %n, 1
        %inverse_again = ne %n, 0
        @%inverse_again br attention_inverse
        %to = mov s3
        %row = mov s3
        @!%pairs br attention_pack_turned
attention_pack_tile:
        %at = mov s3
        %n = mov registers
attention_pack:
        %o_low = vld [%to + results]
        %o_high = vld [%to + results + queries]
        %o_factor = vld [%at + factors]
        %o_low2 = vmul.f32 %o_low, %o_factor
        %o_high2 = vmul.f32 %o_high, %o_factor
        %o_both = vpack.bf16 %o_low2, %o_high2
        vst [%row + packed], %o_both
        %to = add %to, 8
        %row = add %row, 8
        %at = add %at, 8
        %n = sub %n, 1
        %pack_again = ne %n, 0
        @%pack_again br attention_pack
        %to = add %to, queries
        %number = sub %number, 1
        %pack_tiles = ne %number, 0
        @%pack_tiles br attention_pack_tile
        br attention_store
attention_pack_turned:
        %turn_words = sld [%frame + n_words]
        %turn = mov LANES
        %turn = sub %turn, %turn_words
        %n = mov registers
attention_turn:
        %t_both = vld [%to + results]
        %t_factor = vld [%to + factors]
        %t_scaled = vmul.f32 %t_both, %t_factor
        %t_high = lrot %t_scaled, %turn
        %t_packed = vpack.bf16 %t_scaled, %t_high
        vst [%to + packed], %t_packed
        %to = add %to, 8
        %n = sub %n, 1
        %turn_again = ne %n, 0
        @%turn_again br attention_turn

attention_store:
        %first3 = sld [%frame + n_first]
        %last3 = sld [%frame + n_last]
        %count3 = sub %last3, %first3
        sst [%frame + o_copy + copy_inner], %count3
        sst [%frame + o_copy + 16 + copy_inner], %count3
        %o_pitch = sld [%frame + n_q_pitch]
        %o_head = sld [%frame + n_q_head]
        %o_to = mul %first3, %o_pitch
        %o_to = add %o_to, %o_head
        %o_whole = sld [%frame + n_whole]
        %o_tail = sld [%frame + n_tail]
        %o_to_tail = shl %o_whole, lanes_log2
        %o_to_tail = add %o_to_tail, %o_to
        %o_from_tail = mul %o_whole, queries * LANES
        %o_has = ne %o_whole, 0
        @%o_has copy [%frame + o_copy], s0, %o_to
        @%o_has %stores = add %stores, 1
        %o_ragged = ne %o_tail, 0
        @%o_ragged copy [%frame + o_copy + 16], %o_from_tail, %o_to_tail
        @%o_ragged %stores = add %stores, 1
        # on to the next block of queries, or head
        %first3 = add %first3, queries
        %positions3 = sld [%frame + n_positions]
        %same_head = lt.u32 %first3, %positions3
        %first3 = sel %same_head, %first3, s0
        sst [%frame + n_first], %first3
        @%same_head br attention_queries
        %h_words = sld [%frame + n_words]
        %q_head3 = sld [%frame + n_q_head]
        %q_head3 = add %q_head3, %h_words
        sst [%frame + n_q_head], %q_head3
        %in_group = sld [%frame + n_in_group]
        %in_group = add %in_group, 1
        %group3 = sld [%frame + n_group]
        %group_done = eq %in_group, %group3
        @%group_done %in_group = mov 0
        sst [%frame + n_in_group], %in_group
        %k_head3 = sld [%frame + n_k_head]
        @%group_done %k_head3 = add %k_head3, %h_words
        sst [%frame + n_k_head], %k_head3
        %head3 = sld [%frame + n_head]
        %head3 = add %head3, 1
        sst [%frame + n_head], %head3
        %heads3 = sld [%frame + n_heads]
        %heads_left = lt.u32 %head3, %heads3
        @%heads_left br attention_queries
        wait f25, %stores
        fset f24, 0
        fset f25, 0
        ret s1
        .endlinear
