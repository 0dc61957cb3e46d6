# flash_attention: causal grouped-query attention. For every query head h and position t,
# out[t, h] = softmax(q[t, h] . k[s, g] / sqrt(size), s <= t) v[s, g], g the key head of h. All bf16;
# scores, softmax and sums fp32, the weights of v rounded to bf16. Any number of positions: scores
# exist for one block at a time.
#   s4 q [positions, heads, size], s5 k and s6 v [positions, key heads, size], s7 out like q
# Traps when the sizes do not match or size is above 128. Within 2^-7 sum of p |v|.
#
# A block of queries (8 `registers` rows) takes one block of keys (`tiles` times L positions) after the other;
# the next one is loaded meanwhile. Dimensions come in tiles of L: a word tile of L words gives two, its low
# and its high halves; if a head has at most L / 2 words, they are loaded twice beside each other and one tile
# has both halves.
#
# The matrix unit should never wait: while it works on the scores of a block of keys, softmax turns the scores
# of the block before, which are in VMEM, into weights; and while it multiplies weights and values for one
# part of the dimensions, the result of the part before is added to the sum so far. m (maxima), l (sums by
# lane) and the unscaled result are kept in VMEM.
        .parameter flash_attention, q, bf16, [positions, heads, size], in
        .parameter flash_attention, k, bf16, [positions, key_heads, size], in
        .parameter flash_attention, v, bf16, [positions, key_heads, size], in
        .parameter flash_attention, y, bf16, [positions, heads, size], out

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

.if LANES < 128
        # VMEM, rows; what softmax uses has one vector a register of queries
        .equ weights, 0                         # p: `tiles` arrays
        .equ maxima, weights + tiles * queries
        .equ sums, maxima + queries
        .equ factors, sums + queries            # what the result so far is multiplied by
        .equ scores, factors + queries          # of the block that softmax is at: `tiles` arrays
        .equ query_parts, scores + tiles * queries              # fp32, tile by tile
        .equ before_results, query_parts + most_parts * queries # what the first part adds to
        .equ results, before_results + queries
        .equ query_words, results + most_parts * queries
        .equ packed, query_words + most_words * queries
        .equ key_rows, packed + most_words * queries            # two buffers of keys, two of values
        .equ value_rows, key_rows + 2 * most_words * keys
        .equ attention_rows, value_rows + 2 * most_words * keys
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
        .equ n_last, 146                        # after the last one
        .equ n_used, 147                        # registers of queries in the block, in whole rounds
        .equ n_done_keys, 148                   # copies that were waited for
        .equ n_done_values, 149
        .equ n_stores, 150                      # and that were begun
        .equ n_out, 151                         # word offset of the block's result
        .equ n_more, 152                        # whether there is a block after this one
.if LANES < 128
        .equ frame_words, 160
.else
        .include "flash_attention_wide.inc"     # also the places in VMEM
.endif
.if attention_rows > kernel_rows
        .error "kernel_rows is too small for attention"
.endif

# Two descriptors for blocks of `rows` positions a word tile.
.macro attention_describe at, from, to, flag, pitch, rows
.if LANES < 128
        describe \at, \from, \to, \flag
        ssti [%frame + \at + copy_length], ROW_BYTES
        sst [%frame + \at + copy_middle], %whole
.endif
        describe \at + 16, \from, \to, \flag
        sst [%frame + \at + 16 + copy_length], %tail_bytes
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
        ssti [%frame + \at + 16 + attention_here_\at], ROW_BYTES
        sst [%frame + \at + 16 + attention_there_\at], \pitch
.if LANES < 128
        ssti [%frame + \at + attention_here_\at], ROW_BYTES
        sst [%frame + \at + attention_there_\at], \pitch
        ssti [%frame + \at + attention_tile_\at], \rows * ROW_BYTES
        ssti [%frame + \at + attention_out_\at], ROW_BYTES
.endif
.endm

# Where they begin: the tensor whose entry begins at SMEM word `entry`, rows of VMEM.
.macro attention_ends at, field, entry, other, rows
.if LANES < 128
        describe_tensor \at, \field, \entry
        describe_rows \at, \other, \rows
.endif
        describe_tensor \at + 16, \field, \entry
        describe_rows \at + 16, \other, \rows
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

# The block of keys or values at position %\at, into buffer %\slot, if the block of queries sees it.
.macro attention_load_block copies, at, slot, id
        %lb_last\id = sld [%frame + n_last]
        %lb_none\id = ge.u32 \at, %lb_last\id
        @%lb_none\id br attention_no_block\id
        %lb_all\id = sld [%frame + n_positions]
        %count = sub %lb_all\id, \at
        %count = min.u32 %count, keys
        %lb_pitch\id = sld [%frame + n_k_pitch]
        %lb_head\id = sld [%frame + n_k_head]
        %lb_from\id = mul \at, %lb_pitch\id
        %lb_from\id = add %lb_from\id, %lb_head\id
        %lb_to\id = mul \slot, most_words * keys * LANES
        attention_load \copies, keys, %lb_from\id, %lb_to\id, \id
attention_no_block\id:
.endm

# One tile of part `part` of the dimensions, in words from row `at` on, becomes the next weights of the
# matrix unit, by `push` (mxpush or mxpusht), if %pushes. Odd parts are the high halves of their words
# where there are two parts a word; else one part has both.
.macro attention_push push, at, part, id
        %twice\id = sld [%frame + n_twice]
        %halves = eq %twice\id, 1
        %half_lanes = sld [%frame + n_words]
        attention_push_lanes \push, \at, \part, \id
.endm

# The same where it is known whether one part has both, and how many lanes the low halves take then.
.macro attention_push_lanes push, at, part, id
        %odd\id = and \part, 1
        %is_odd\id = eq %odd\id, 1
        %odd_lane\id = sel %is_odd\id, s0, LANES
        %low_lanes\id = sel %halves, %half_lanes, %odd_lane\id
        %low_mask\id = vlt.s32 %lane, %low_lanes\id
        %word_tile\id = shr \part, 1
        %tile_row\id = mul %word_tile\id, keys
        %words_at\id = add \at, %tile_row\id
.rept LANES / 8, i
        %pw\id\()_\i = vld [%words_at\id + 8 * \i]
        %pu\id\()_\i = vsel %low_mask\id, %pw\id\()_\i\().lo, %pw\id\()_\i\().hi
        @%pushes \push 8 * \i, %pu\id\()_\i\().f32
.endr
.endm

# a[%to + r] = (adds: a[%to + r] +) the vector at `from` times the weights.
.macro attention_multiply r, from, adds, option, id
        %x\id = vld [\from]
.if \adds
        mxmul.bf16 a[%to + \r], %x\id\().f32, add, \option
.else
        mxmul.bf16 a[%to + \r], %x\id\().f32, \option
.endif
.endm

# `unroll` registers of scores; `option` swap: the first with new weights.
.macro attention_score_group adds, option, id
        attention_multiply 0, %query_at + query_parts, \adds, \option, \id
.rept unroll - 1, i
        attention_multiply (\i + 1), %query_at + query_parts + 8 + 8 * \i, \adds, rows=8, \id\()_\i
.endr
        %to = add %to, unroll
        %query_at = add %query_at, 8 * unroll
.endm

# Scores of one tile and part, where a block has more than `unroll` registers: those of queries that see
# it. Two registers of softmax run beside `unroll` multiplies, as long as there are as many left.
.macro attention_score adds, id
        %query_at = mov %row
        %to = mov %acc_first
        attention_score_group \adds, swap, \id\()h
        %limit_now = mov %limit
        # the part after, or the first one of the next tile
        %number = add %number, 1
        %parts\id = sld [%frame + n_parts]
        %wraps\id = ge.u32 %number, %parts\id
        %row = add %row, queries
        @%wraps\id %number = mov 0
        %top\id = shl %skip, 3
        %top\id = add %top\id, s3
        @%wraps\id %row = mov %top\id
        @%wraps\id %keys_at = add %keys_at, LANES
        @%wraps\id %acc_first = add %acc_first, registers
        @%wraps\id %limit = add %limit, registers
        %pushes = lt.u32 %acc_first, tiles * registers
        %here\id = sel %pushes, %keys_at, %buffer               # what is there, where nothing is pushed
        attention_push mxpusht, %here\id, %number, \id\()k
        %left\id = sub %limit_now, %to
        %none\id = eq %left\id, 0
        @%none\id br attention_score_done
        %pairs\id = shr %left\id, log2(unroll) - 1
        %alone\id = lt.u32 %soft_left, %pairs\id
        @%alone\id br attention_score_alone\id
        %soft_left = sub %soft_left, %pairs\id
attention_score_beside\id:
        attention_score_group \adds, rows=8, \id\()b
        attention_softmax_register 0, \id\()0
        attention_softmax_register 1, \id\()1
        %soft_at = add %soft_at, 16
        %ahead = vsub.s32 %ahead, 16
        %again_b\id = lt.u32 %to, %limit_now
        @%again_b\id br attention_score_beside\id
        br attention_score_done
attention_score_alone\id:
        attention_score_group \adds, rows=8, \id\()a
        %again_a\id = lt.u32 %to, %limit_now
        @%again_a\id br attention_score_alone\id
.endm

# The same where a block has no more; %parts, %top (its first row), %halves and %half_lanes are known.
# One stage of a pipeline: with another the loop of blocks is larger than nano's code cache.
.macro attention_score_all adds, id
        %to = mov %acc_first
        %query_at = mov %row
        attention_score_group \adds, swap, \id
        %number = add %number, 1
        %wraps\id = ge.u32 %number, %parts
        %row = add %row, queries
        @%wraps\id %number = mov 0
        @%wraps\id %row = mov %top
        @%wraps\id %keys_at = add %keys_at, LANES
        @%wraps\id %acc_first = add %acc_first, registers
        %pushes = lt.u32 %acc_first, tiles * registers
        %here\id = sel %pushes, %keys_at, %buffer
        attention_push_lanes mxpusht, %here\id, %number, \id
.endm

# Scores of register %soft_at + 8 `o` of queries become weights. %ahead is by how much a lane's key
# is ahead of its row's query, in tile 0 and register 0.
.macro attention_softmax_register o, id
.rept tiles, g
        %s\id\()_\g = vld [%soft_at + scores + queries * \g + 8 * \o]
        %t\id\()_\g = vmul.f32 %s\id\()_\g, %scale
        %shown\id\()_\g = vle.s32 %ahead, 8 * \o - LANES * \g
        %u\id\()_\g = vsel %shown\id\()_\g, %t\id\()_\g, -INF
.endr
        %most\id = vmax.f32 %u\id\()_0, %u\id\()_1
        %row_most\id = lmax.f32 %most\id
        %m_old\id = vld [%soft_at + maxima + 8 * \o]
        %m_new\id = vmax.f32 %m_old\id, %row_most\id
        vst [%soft_at + maxima + 8 * \o], %m_new\id
        %m_less\id = vsub.f32 %m_old\id, %m_new\id
        %factor\id = exp2 %m_less\id
        vst [%soft_at + factors + 8 * \o], %factor\id
.rept tiles, g
        %d\id\()_\g = vsub.f32 %u\id\()_\g, %m_new\id
        %p\id\()_\g = exp2 %d\id\()_\g
        vst [%soft_at + weights + queries * \g + 8 * \o], %p\id\()_\g
.endr
        %l_old\id = vld [%soft_at + sums + 8 * \o]
        %l_less\id = vmul.f32 %l_old\id, %factor\id
        %p_sum\id = vadd.f32 %p\id\()_0, %p\id\()_1
        %l_new\id = vadd.f32 %l_less\id, %p_sum\id
        vst [%soft_at + sums + 8 * \o], %l_new\id
.endm

# The result of the part before, in a[%to + r], goes to the sum so far, times its factor.
.macro attention_merge r, id
        %f\id = vld [%weight_at + factors + 8 * \r]
        %old\id = vld [%result_at + before_results + 8 * \r]
        %new\id = mxread a[%to + \r]
        %scaled\id = vmul.f32 %old\id, %f\id
        %sum\id = vadd.f32 %scaled\id, %new\id
        vst [%result_at + before_results + 8 * \r], %sum\id
.endm

# `unroll` registers of weights times values of tile `g`; beside the first tile the part before goes.
.macro attention_weigh_group g, option, id
.if \g == 0
.rept unroll, i
        attention_merge \i, \id\()_\i
.endr
.endif
        attention_multiply 0, %weight_at + weights + queries * \g, (\g > 0), \option, \id
.rept unroll - 1, i
        attention_multiply (\i + 1), %weight_at + weights + queries * \g + 8 + 8 * \i, (\g > 0), rows=8, \id\()_\i
.endr
        %to = add %to, unroll
        %weight_at = add %weight_at, 8 * unroll
.if \g == 0
        %result_at = add %result_at, 8 * unroll
.endif
.endm

# Values of one tile of positions times their weights: a[r] for all registers that see it.
.macro attention_weigh_tile g
        %to = mov %w_skip
        %weight_at = add s3, %w_skip_rows
        attention_weigh_group \g, swap, vh\g
.if \g == tiles - 1
        %number = add %number, 1
        %v_parts = sld [%frame + n_parts]
        %pushes = lt.u32 %number, %v_parts
        %number = sel %pushes, %number, s0
.endif
        %tile_at\g = add %values_at, LANES * ((\g + 1) % tiles)
        attention_push mxpush, %tile_at\g, %number, v\g
.if registers > unroll
        %more\g = lt.u32 %to, %w_limit
        @!%more\g br attention_weighed\g
attention_weigh_loop\g:
        attention_weigh_group \g, rows=8, vl\g
        %again_v\g = lt.u32 %to, %w_limit
        @%again_v\g br attention_weigh_loop\g
attention_weighed\g:
.endif
.endm

# The block of queries from position n_first of head n_q_head, and its first keys.
.macro attention_fetch id
        %fq_first\id = sld [%frame + n_first]
        %fq_positions\id = sld [%frame + n_positions]
        %count = sub %fq_positions\id, %fq_first\id
        %count = min.u32 %count, queries
        %fq_last\id = add %fq_first\id, %count
        sst [%frame + n_last], %fq_last\id
        %fq_used\id = add %count, 8 * unroll - 1
        %fq_used\id = shr %fq_used\id, log2(8 * unroll)
        %fq_used\id = shl %fq_used\id, log2(unroll)
        sst [%frame + n_used], %fq_used\id
        %fq_pitch\id = sld [%frame + n_q_pitch]
        %fq_head\id = sld [%frame + n_q_head]
        %fq_from\id = mul %fq_first\id, %fq_pitch\id
        %fq_from\id = add %fq_from\id, %fq_head\id
        attention_load q_copy, queries, %fq_from\id, s0, _q\id
        %fq_key\id = mov 0
        attention_load_block k_copy, %fq_key\id, %fq_key\id, _k\id
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
        attention_ends q_copy, copy_source, s4, copy_target, query_words
        attention_describe k_copy, hbm, vmem, 24, %k_pitch, keys
        attention_ends k_copy, copy_source, s5, copy_target, key_rows
        attention_describe v_copy, hbm, vmem, 27, %k_pitch, keys
        attention_ends v_copy, copy_source, s6, copy_target, value_rows
        attention_describe o_copy, vmem, hbm, 25, %q_pitch, queries
        attention_ends o_copy, copy_target, s7, copy_source, packed
        # log2(e) / sqrt(size), in every lane of a vector and so in a scalar
        %size_f32 = vmov %size
        %size_f32 = vcvt.f32.s32 %size_f32
        %root = rsqrt %size_f32
        %scale_vector = vmul.f32 %root, log2_of_e
        %scale = extract %scale_vector, 0
        sst [%frame + n_scale], %scale
        ssti [%frame + n_head], 0
        ssti [%frame + n_in_group], 0
        ssti [%frame + n_q_head], 0
        ssti [%frame + n_k_head], 0
        ssti [%frame + n_first], 0
.if LANES >= 128
        .endlinear
        .include "flash_attention_pairs.inc"
.else
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
        ssti [%frame + n_done_keys], 0
        ssti [%frame + n_done_values], 0
        ssti [%frame + n_stores], 0
        .trips attention_begin, registers, registers, registers
        .trips attention_unpack, registers, registers, registers
        .trips attention_inverse, registers, registers, registers
        .trips attention_pack, registers, registers, registers
        .trips attention_turn, registers, registers, registers
.if LANES == 8
        # all of a block, always
        .trips attention_softmax, registers, registers, registers
        .trips attention_keep_loop, registers, registers, registers
        .trips attention_merge_last, registers, registers, registers
        .unroll attention_begin, 1
.endif
        .disjoint %query_at, %soft_at           # arrays of their own
        .disjoint %weight_at, %result_at
        .disjoint %words_at, %parts_at
        .disjoint %done_at, %packed_at
        .disjoint %factor_at, %packed_at
        # lanes that hold low halves where one tile has both
        %split = sld [%frame + n_words]
        %lane = vlane
        %is_low = vlt.s32 %lane, %split

        attention_fetch _a

# A block of queries: they are on their way, followed by the first keys.
attention_queries:
        %copies = sld [%frame + n_copies]
        wait f26, %copies
        fset f26, 0
        %key = mov 0                            # position of the block of keys whose scores come
        %slot = mov 0                           # its buffer
        %minus_infinity = vmov -INF
        %zero = vmov 0
        %at = mov s3
        %n = add s3, queries
attention_begin:
        vst [%at + maxima], %minus_infinity
        vst [%at + sums], %zero
        vst [%at + before_results], %zero
        %at = add %at, 8
        %begin_more = lt.u32 %at, %n
        @%begin_more br attention_begin
        # halves to tiles of their own; a stale NaN must not get into the result
        %number = sld [%frame + n_word_tiles]
        %twice = sld [%frame + n_twice]
        %has_two = eq %twice, 0
        %words_at = mov s3
        %parts_at = mov s3
attention_unpack_tile:
        %n = mov registers
attention_unpack:
        %word = vld [%words_at + query_words]
        %both = vsel %is_low, %word.lo, %word.hi
        %low = vmov %word.lo
        @%has_two vst [%parts_at + query_parts], %low
        @!%has_two vst [%parts_at + query_parts], %both
        %high = vmov %word.hi
        @%has_two vst [%parts_at + query_parts + queries], %high
        vst [%parts_at + results], %zero
        @%has_two vst [%parts_at + results + queries], %zero
        %words_at = add %words_at, 8
        %parts_at = add %parts_at, 8
        %n = sub %n, 1
        %unpack_more = ne %n, 0
        @%unpack_more br attention_unpack
        %parts_at = add %parts_at, queries
        %number = sub %number, 1
        %tiles_more = ne %number, 0
        @%tiles_more br attention_unpack_tile

        %skip = mov 0
attention_keys:
        # softmax lags by one block of keys: none at first, and one more at the end
        %w_skip = mov %skip
        %w_skip_rows = shl %w_skip, 3
        %w_limit = sld [%frame + n_used]
        %is_begin = eq %key, 0
        %soft_left = sub %w_limit, %w_skip
        %soft_left = sel %is_begin, s0, %soft_left
        %soft_at = add s3, %w_skip_rows
        %first2 = sld [%frame + n_first]
        %base = sub %key, %first2
        %base = sub %base, keys
        %base = sub %base, %w_skip_rows
        %sublane = vsublane
        %ahead = vsub.s32 %lane, %sublane
        %ahead = vadd.s32 %ahead, %base
        %scale = sld [%frame + n_scale]
        %other_slot = xor %slot, 1
        %next_key = add %key, keys
        attention_load_block k_copy, %next_key, %other_slot, _k
        attention_load_block v_copy, %key, %slot, _v
        %each = sld [%frame + n_copies]
        %last2 = sld [%frame + n_last]
        %at_end = ge.u32 %key, %last2
        @%at_end br attention_softmax_rest
        %done_keys = sld [%frame + n_done_keys]
        %done_keys = add %done_keys, %each
        sst [%frame + n_done_keys], %done_keys
        wait f24, %done_keys
        # registers of queries before the first key see none of these keys
        %skip = sub %key, %first2
        %skip = max.s32 %skip, 0
        %skip = shr %skip, log2(8 * unroll)
        %skip = shl %skip, log2(unroll)         # registers, a multiple of the unrolling
        %skip_rows = shl %skip, 3
        %buffer = mul %slot, most_words * keys
        %buffer = add %buffer, s3
        %buffer = add %buffer, key_rows

        # scores: a[tile * registers + r] = sum over parts of query part r times the keys' part
        %keys_at = mov %buffer                  # of the tile
        %number = mov 0
        %row = add s3, %skip_rows
        %acc_first = mov %skip
        %limit = sld [%frame + n_used]
        %pushes = eq s0, s0
        attention_push mxpusht, %keys_at, %number, k
.if registers == unroll
        %parts = sld [%frame + n_parts]
        %top = mov %row
.endif
attention_score_part:
.if registers > unroll
        %is_first = eq %number, 0
        @!%is_first br attention_score_more
        attention_score 0, f
        br attention_score_done
attention_score_more:
        attention_score 1, m
.else
        # the first part of a tile, then the others
        attention_score_all 0, f
        %parts_left = sub %parts, 1
        %one_part = eq %parts_left, 0
        @%one_part br attention_score_done
attention_score_more:
        attention_score_all 1, m
        %parts_left = sub %parts_left, 1
        %more_parts = ne %parts_left, 0
        @%more_parts br attention_score_more
.endif
attention_score_done:
        @%pushes br attention_score_part

attention_softmax_rest:
        %soft_done = eq %soft_left, 0
        @%soft_done br attention_keep
attention_softmax:
        attention_softmax_register 0, r
        %soft_at = add %soft_at, 8
        %ahead = vsub.s32 %ahead, 8
        %soft_left = sub %soft_left, 1
        %softmax_again = ne %soft_left, 0
        @%softmax_again br attention_softmax

attention_keep:
        @%at_end br attention_weigh
        %to = mov %skip
        %keep_at = shl %skip, 3
        %keep_at = add %keep_at, s3
        %keep_end = sld [%frame + n_used]
attention_keep_loop:
.rept tiles, g
        %kept\g = mxread a[%to + registers * \g]
        vst [%keep_at + scores + queries * \g], %kept\g
.endr
        %keep_at = add %keep_at, 8
        %to = add %to, 1
        %keep_again = lt.u32 %to, %keep_end
        @%keep_again br attention_keep_loop
        %is_begin2 = eq %key, 0
        @%is_begin2 br attention_next_keys

attention_weigh:
        # results: part by part, acc = sum over tiles of weights times values; then the sum so far
        # times its factor, plus that
        %each2 = sld [%frame + n_copies]
        %done_values = sld [%frame + n_done_values]
        %done_values = add %done_values, %each2
        sst [%frame + n_done_values], %done_values
        wait f27, %done_values
        %number = mov 0
        %w_limit = sld [%frame + n_used]
        %w_skip_rows = shl %w_skip, 3
        %values_at = xor %slot, 1
        %values_at = mul %values_at, most_words * keys
        %values_at = add %values_at, s3
        %values_at = add %values_at, value_rows
        %row = add s3, %w_skip_rows
        %pushes = eq s0, s0
        attention_push mxpush, %values_at, %number, v
attention_value_part:
        %result_at = mov %row
        %row = add %row, queries
.rept tiles, g
        attention_weigh_tile \g
.endr
        @%pushes br attention_value_part
        %to = mov %w_skip
        %weight_at = add s3, %w_skip_rows
        %result_at = mov %row
attention_merge_last:
        attention_merge 0, l
        %weight_at = add %weight_at, 8
        %result_at = add %result_at, 8
        %to = add %to, 1
        %merge_again = lt.u32 %to, %w_limit
        @%merge_again br attention_merge_last

attention_next_keys:
        %slot = xor %slot, 1
        %key = add %key, keys
        @!%at_end br attention_keys

        # where the result goes
        %first3 = sld [%frame + n_first]
        %last3 = sld [%frame + n_last]
        %count3 = sub %last3, %first3
        sst [%frame + o_copy + copy_inner], %count3
        sst [%frame + o_copy + 16 + copy_inner], %count3
        %o_pitch = sld [%frame + n_q_pitch]
        %o_head = sld [%frame + n_q_head]
        %out = mul %first3, %o_pitch
        %out = add %out, %o_head
        sst [%frame + n_out], %out
        # the next block of queries, or head, comes meanwhile
        ssti [%frame + n_more], 1
        %first3 = add %first3, queries
        %positions3 = sld [%frame + n_positions]
        %same_head = lt.u32 %first3, %positions3
        %first3 = sel %same_head, %first3, s0
        sst [%frame + n_first], %first3
        @%same_head br attention_next_queries
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
        @%heads_left br attention_next_queries
        ssti [%frame + n_more], 0
        br attention_finish
attention_next_queries:
        attention_fetch _b

        # the block's result: divided by the sums, packed, stored
attention_finish:
        %stores = sld [%frame + n_stores]
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
        %done_at = mov s3
        %packed_at = mov s3
        @!%pairs br attention_pack_turned
attention_pack_tile:
        %factor_at = mov s3
        %n = mov registers
attention_pack:
        %o_low = vld [%done_at + results]
        %o_high = vld [%done_at + results + queries]
        %o_factor = vld [%factor_at + factors]
        %o_low2 = vmul.f32 %o_low, %o_factor
        %o_high2 = vmul.f32 %o_high, %o_factor
        %o_both = vpack.bf16 %o_low2, %o_high2
        vst [%packed_at + packed], %o_both
        %done_at = add %done_at, 8
        %packed_at = add %packed_at, 8
        %factor_at = add %factor_at, 8
        %n = sub %n, 1
        %pack_again = ne %n, 0
        @%pack_again br attention_pack
        %done_at = add %done_at, queries
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
        %o_to = sld [%frame + n_out]
        %o_whole = sld [%frame + n_whole]
        %o_tail = sld [%frame + n_tail]
        %o_to_tail = shl %o_whole, lanes_log2
        %o_to_tail = add %o_to_tail, %o_to
        %o_from_tail = mul %o_whole, queries * LANES
        %o_has = ne %o_whole, 0
        %stores = sld [%frame + n_stores]
        @%o_has copy [%frame + o_copy], s0, %o_to
        @%o_has %stores = add %stores, 1
        %o_ragged = ne %o_tail, 0
        @%o_ragged copy [%frame + o_copy + 16], %o_from_tail, %o_to_tail
        @%o_ragged %stores = add %stores, 1
        sst [%frame + n_stores], %stores
        %more = sld [%frame + n_more]
        %goes_on = ne %more, 0
        @%goes_on br attention_queries
        %stores = sld [%frame + n_stores]
        wait f25, %stores
        fset f24, 0
        fset f25, 0
        fset f27, 0
        ret s1
        .endlinear
.endif

        .scratch flash_attention, kernel_rows, 512
