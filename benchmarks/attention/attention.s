# Causal grouped-query attention over a whole sequence: for every head, row t of the result is
# softmax(q_t . k_s / sqrt(size), s <= t) v_s. q, k, v and the result are bf16, scores, softmax and
# sums fp32, the weights of v rounded to bf16. Sizes at run time: query heads are a multiple of key
# heads (explicit trap 1), keys, values and a block's scores fit VMEM (trap 2).
#
# Keys and values of one key head are in VMEM, word tile by word tile (L words, so 2L dimensions) of
# all positions. A block is up to 8 registers of queries, 8 positions each. Its scores, tile by tile
# of L positions, come of the queries' halves times transposed pushes of the keys' halves; softmax
# runs over the scores in VMEM; then every tile of scores, as activations, is multiplied by the
# values' halves: even dimensions gather in a0.., odd ones in a32.., and packing them gives rows in
# order. Tiles of positions beyond the block's last query are skipped.

        .include "../common/common.inc"

        .tensor q, bf16, [positions, heads, size], in
        .tensor k, bf16, [positions, kv_heads, size], in
        .tensor v, bf16, [positions, kv_heads, size], in
        .tensor result, bf16, [positions, heads, size], out
        .equ tensor_count, 4
        .equ block_limit, 8             # registers of queries in a block

        .smem
        .align 16
query_copy:     .space 16
key_copy:       .space 16
value_copy:     .space 16
result_copy:    .space 16
query_tail:     .space 16               # the ragged word tile, where there is one
key_tail:       .space 16
value_tail:     .space 16
result_tail:    .space 16
setup_copy:     .space 16
arguments:      .space 16 * tensor_count
key_row:        .space 1                # VMEM
value_row:      .space 1
query_row:      .space 1
score_row:      .space 1
inverse_row:    .space 1
output_row:     .space 1
whole_tiles:    .space 1                # word tiles of a head
tail_words:     .space 1
key_pitch:      .space 1                # words from position to position
query_pitch:    .space 1

        .reg positions, s31
        .reg padded, s30                # positions, a multiple of L
        .reg word_tiles, s29            # of a head
        .reg head_words, s28
        .reg group, s27                 # query heads a key head
        .reg kv_left, s26
        .reg head_left, s25             # in the group
        .reg key_head, s24              # word offset of the key head
        .reg query_head, s23            # word offset of the query head
        .reg first, s22                 # first position of the block
        .reg block, s21                 # registers of queries in a block
        .reg block_rows, s20            # 8 a register
        .reg tiles, s19                 # of positions that the block sees
        .reg scale, s18                 # log2(e) / sqrt(size)
        .reg lane_number, v63
        .reg sublane_number, v62

        .text
        .global start
start:
        fetch_arguments setup_copy, arguments, tensor_count
        positions = sld [arguments + argument_sizes]
        s4 = sld [arguments + argument_sizes + 1]
        kv_left = sld [arguments + argument_words + argument_sizes + 1]
        { p1 = eq positions, 0 ; p2 = eq s4, 0 }
        s10 = sld [arguments + argument_sizes + 2]
        { p1 = por p1, p2 ; p2 = eq s10, 0 }
        p1 = por p1, p2
        @p1 halt
        # group and sizes
        s5 = mov kv_left
        s1 = call divide
        { p1 = ne s5, 0 ; group = mov s4 }
        s4 = sld [arguments + argument_words + argument_sizes]
        p2 = ne s4, positions
        p1 = por p1, p2
        s4 = sld [arguments + argument_words + argument_sizes + 2]
        p2 = ne s4, s10
        p1 = por p1, p2
        @p1 trap 1
        ceil_shift head_words, s10, 1
        ceil_shift word_tiles, head_words, LANES_LOG2
        round_up padded, positions, LANES_LOG2
        s4 = shr head_words, LANES_LOG2
        sst [whole_tiles], s4
        s4 = and head_words, LANES - 1
        sst [tail_words], s4
        { lane_number = vlane ; sublane_number = vsublane }
        v0 = vcvt.f32.s32 s10
        { v0 = rsqrt v0 ; s4 = mov log2e }
        v0 = vmul.f32 v0, s4
        scale = extract v0, 0
        s1 = call lay_out
        s1 = call describe_copies

        { key_head = mov s0 ; query_head = mov s0 }
next_key_head:
        s1 = call load_keys
        head_left = mov group
next_head:
        first = mov s0
next_block:
        s1 = call load_queries
        s1 = call scores
        s1 = call softmax
        s1 = call mix_values
        s1 = call store_result
        first = add first, block_rows
        p1 = lt.u32 first, positions
        @p1 br next_block
        { query_head = add query_head, head_words ; head_left = sub head_left, 1 }
        p1 = ne head_left, 0
        @p1 br next_head
        { key_head = add key_head, head_words ; kv_left = sub kv_left, 1 }
        p1 = ne kv_left, 0
        @p1 br next_key_head
        halt

# VMEM rows, the size of a block, zeros. Overwrites s4..s9, p1, v0.
lay_out:
        s4 = mul padded, word_tiles             # of keys, and of values
        { sst [key_row], s0 ; s5 = shl s4, 1 }
        { sst [value_row], s4 }
        # one register of queries takes: queries and results, scores and 1 / sum
        s6 = shr padded, LANES_LOG2
        s7 = shl word_tiles, 1
        s6 = add s6, s7
        { s6 = add s6, 1 ; s4 = mov VMEM_ROWS }
        s6 = shl s6, 3
        p1 = lt.u32 s4, s5
        @p1 trap 2
        { s8 = mov s5 ; s4 = sub s4, s5 }
        { s5 = mov s6 ; s9 = mov s1 }
        # divide overwrites s6, s7, s8
        sst [output_row], s8
        s1 = call divide
        { p1 = eq s4, 0 ; block = min.u32 s4, block_limit }
        @p1 trap 2
        { s1 = mov s9 ; block_rows = shl block, 3 }
        s8 = sld [output_row]
        sst [query_row], s8
        s4 = mul block_rows, word_tiles
        s8 = add s8, s4
        sst [output_row], s8
        s8 = add s8, s4
        sst [inverse_row], s8
        s8 = add s8, block_rows
        { sst [score_row], s8 ; s4 = mov s0 }
        s5 = shr padded, LANES_LOG2
        s5 = mul s5, block_rows
        { s8 = add s8, s5 ; v0 = vmov s0 }
clear:
        { vst [s4], v0 ; s4 = add s4, 8 }
        p1 = lt.u32 s4, s8
        @p1 br clear
        ret s1

# A copy between tensor number `index` and VMEM for whole word tiles, and the one for the ragged
# tile; `rows_apart` is the register that holds the rows between word tiles. Overwrites s4, s5.
.macro describe_rows at, tail, from, to, flag, index, hbm_field, hbm_stride, vmem_field, vmem_stride, rows_apart, row
        descriptor \at, \from, \to, \flag
        descriptor \tail, \from, \to, \flag
        tensor_address \at, \hbm_field, arguments, \index
        tensor_address \tail, \hbm_field, arguments, \index
        s4 = sld [\row]
        s4 = shl s4, LANES_LOG2 + 2
        sst [\at + \vmem_field], s4
        s5 = sld [whole_tiles]
        { sst [\at + copy_middle], s5 ; s5 = mul s5, \rows_apart }
        s5 = shl s5, LANES_LOG2 + 2
        s4 = add s4, s5
        sst [\tail + \vmem_field], s4
        s5 = sld [whole_tiles]
        store_word \at + copy_length, ROW_BYTES
        sst [\at + copy_inner + \vmem_stride], s4
        sst [\tail + copy_inner + \vmem_stride], s4
        { sst [\at + copy_middle + \hbm_stride], s4 ; s5 = shl s5, LANES_LOG2 + 2 }
        s4 = shl \rows_apart, LANES_LOG2 + 2
        sst [\at + copy_middle + \vmem_stride], s4
        # the tail's column of words, as bytes beyond the head's first word
        s4 = sld [\tail + \hbm_field]
        s4 = add s4, s5
        { sst [\tail + \hbm_field], s4 ; p1 = lt.u32 s4, s5 }
        s4 = sld [\tail + \hbm_field + 1]
        @p1 s4 = add s4, 1
        sst [\tail + \hbm_field + 1], s4
        s4 = sld [tail_words]
        s4 = shl s4, 2
        sst [\tail + copy_length], s4
.endm

# Bytes and words from position to position: heads * (words of a head, as the tensor has them).
.macro position_pitch to, index
        s4 = sld [arguments + argument_words * \index + argument_pitch]
        s5 = sld [arguments + argument_words * \index + argument_sizes + 1]
        s4 = mul s4, s5
        { s5 = shr s4, 2 }
        sst [\to], s5
.endm

describe_copies:
        describe_rows query_copy, query_tail, in_hbm, in_vmem, 0, 0, copy_source, 1, copy_target, 2, block_rows, query_row
        describe_rows key_copy, key_tail, in_hbm, in_vmem, 1, 1, copy_source, 1, copy_target, 2, padded, key_row
        describe_rows value_copy, value_tail, in_hbm, in_vmem, 1, 2, copy_source, 1, copy_target, 2, padded, value_row
        describe_rows result_copy, result_tail, in_vmem, in_hbm, 2, 3, copy_target, 2, copy_source, 1, block_rows, output_row
        position_pitch key_pitch, 1
        sst [key_copy + copy_inner + 1], s4
        sst [key_tail + copy_inner + 1], s4
        sst [value_copy + copy_inner + 1], s4
        sst [value_tail + copy_inner + 1], s4
        sst [key_copy + copy_inner], positions
        sst [key_tail + copy_inner], positions
        sst [value_copy + copy_inner], positions
        sst [value_tail + copy_inner], positions
        position_pitch query_pitch, 0
        sst [query_copy + copy_inner + 1], s4
        sst [query_tail + copy_inner + 1], s4
        sst [result_copy + copy_inner + 2], s4
        sst [result_tail + copy_inner + 2], s4
        ret s1

# Keys and values of a key head.
load_keys:
        copy [key_copy], key_head, s0
        copy [key_tail], key_head, s0
        copy [value_copy], key_head, s0
        copy [value_tail], key_head, s0
        wait f1, 4
        fset f1, 0
        ret s1

# Queries of the block from `first` on, and how many tiles of positions it sees. Overwrites s4, s5.
load_queries:
        { s4 = sub positions, first ; s5 = sld [query_pitch] }
        { s4 = min.u32 s4, block_rows ; s5 = mul s5, first }
        { sst [query_copy + copy_inner], s4 ; s5 = add s5, query_head }
        { sst [query_tail + copy_inner], s4 ; tiles = add first, s4 }
        { copy [query_copy], s5, s0 ; tiles = add tiles, LANES - 1 }
        { copy [query_tail], s5, s0 ; tiles = shr tiles, LANES_LOG2 }
        wait f0, 2
        fset f0, 0
        ret s1

# Pushes L rows from s10 on as columns or rows of the next weights. Overwrites s10, s11, v32.
.macro push_tile operation, half
        s11 = mov s0
.rept LANES / 8
        { v32 = vld [s10] ; s10 = add s10, 8 }
        { \operation [s11], v32.\half ; s11 = add s11, 8 }
.endr
.endm

# Registers from row s9 on times the pushed weights, into the accumulators from `base` on; p3: the
# first sums. The first multiply swaps. Overwrites s9, s11, p1, v33.
.macro multiply_block part, base
        { v33 = vld [s9] ; s9 = add s9, 8 ; s11 = mov 1 }
        @p3 mxmul.bf16 a\base, v33.\part, swap
        { @!p3 mxmul.bf16 a\base, v33.\part, add, swap ; p1 = lt.u32 s11, block }
        @!p1 br multiplied\@
multiply\@:
        { v33 = vld [s9] ; s9 = add s9, 8 }
        @p3 mxmul.bf16 a[s11 + \base], v33.\part
        { @!p3 mxmul.bf16 a[s11 + \base], v33.\part, add ; s11 = add s11, 1 }
        p1 = lt.u32 s11, block
        @p1 br multiply\@
multiplied\@:
.endm

# Scores of the block: tile by tile, register by register. Overwrites s4..s13, p1, p3, m1, v30..v36.
scores:
        { s5 = sld [score_row] ; s4 = mov s0 }
        { s6 = sld [key_row] ; s7 = shl s4, LANES_LOG2 }
score_tile:
        # sums over word tiles and halves
        { s8 = mov word_tiles ; p3 = por p0, p0 }
        { s12 = mov s6 ; s13 = sld [query_row] }
score_words:
        s10 = mov s12
        push_tile mxpusht, lo
        s9 = mov s13
        multiply_block lo, 0
        { p3 = pand !p0, p0 ; s10 = mov s12 }
        push_tile mxpusht, hi
        s9 = mov s13
        multiply_block hi, 0
        { s12 = add s12, padded ; s13 = add s13, block_rows }
        s8 = sub s8, 1
        p1 = ne s8, 0
        @p1 br score_words
        # scaled, and minus infinity where the position is later than the query
        s7 = shl s4, LANES_LOG2
        { s9 = mov first ; s8 = mov s0 ; v30 = vadd.s32 lane_number, s7 }
        { v31 = vadd.s32 sublane_number, s9 ; s10 = mov 8 ; s11 = mov minus_infinity }
read_scores:
        { v34 = mxread a[s8] ; m1 = vle.s32 v30, v31 ; s8 = add s8, 1 }
        { v31 = vadd.s32 v31, s10 ; p1 = lt.u32 s8, block }
        v34 = vmul.f32 v34, scale
        v34 = vsel m1, v34, s11
        { vst [s5], v34 ; s5 = add s5, 8 ; @p1 br read_scores }
        { s4 = add s4, 1 ; s6 = add s6, LANES }
        p1 = lt.u32 s4, tiles
        @p1 br score_tile
        ret s1

# scores := 2^(score - row maximum), and 1 / the rows' sums. Overwrites s4..s8, p1, v0..v6.
softmax:
        s4 = mov block
        s5 = sld [score_row]
        s6 = sld [inverse_row]
softmax_register:
        { s7 = mov tiles ; s8 = mov s5 }
        { v0 = vld [s5] ; v5 = vmov s0 }
find_maximum:
        { v1 = vld [s8] ; s8 = add s8, block_rows ; s7 = sub s7, 1 }
        p1 = ne s7, 0
        { v0 = vmax.f32 v0, v1 ; @p1 br find_maximum }
        { v0 = lmax.f32 v0 ; s7 = mov tiles ; s8 = add s5, block_rows }
        { v1 = vld [s5] ; s9 = mov s5 }
        v1 = vsub.f32 v1, v0
exponentials:
        { v2 = exp2 v1 ; s7 = sub s7, 1 }
        p1 = ne s7, 0
        @p1 v3 = vld [s8]
        @p1 v1 = vsub.f32 v3, v0
        { v5 = vadd.f32 v5, v2 ; vst [s9], v2 ; s9 = mov s8 ; s8 = add s8, block_rows }
        @p1 br exponentials
        v5 = lsum.f32 v5
        v5 = rcp v5
        { vst [s6], v5 ; s6 = add s6, 8 ; s4 = sub s4, 1 }
        { p1 = ne s4, 0 ; s5 = add s5, 8 }
        @p1 br softmax_register
        ret s1

# Scores times values over 1 / sum, packed into the output rows. Overwrites s4..s13, p1, p3,
# v32..v38.
mix_values:
        { s4 = mov word_tiles ; s5 = sld [output_row] }
        s6 = sld [value_row]
mix_words:
        { s7 = mov tiles ; s12 = mov s6 }
        { s13 = sld [score_row] ; p3 = por p0, p0 }
mix_tile:
        s10 = mov s12
        push_tile mxpush, lo
        s9 = mov s13
        multiply_block f32, 0
        s10 = mov s12
        push_tile mxpush, hi
        s9 = mov s13
        multiply_block f32, 32
        { s12 = add s12, LANES ; s13 = add s13, block_rows }
        { s7 = sub s7, 1 ; p3 = pand !p0, p0 }
        p1 = ne s7, 0
        @p1 br mix_tile
        { s8 = mov s0 ; s9 = sld [inverse_row] }
pack:
        { v34 = mxread a[s8] ; v36 = vld [s9] ; s9 = add s9, 8 }
        { v35 = mxread a[s8 + 32] ; s8 = add s8, 1 }
        { v34 = vmul.f32 v34, v36 ; p1 = lt.u32 s8, block }
        v35 = vmul.f32 v35, v36
        v37 = vpack.bf16 v34, v35
        { vst [s5], v37 ; s5 = add s5, 8 ; @p1 br pack }
        { s4 = sub s4, 1 ; s6 = add s6, padded }
        p1 = ne s4, 0
        @p1 br mix_words
        ret s1

# The block's rows of the result. Overwrites s4, s5.
store_result:
        { s4 = sub positions, first ; s5 = sld [query_pitch] }
        { s4 = min.u32 s4, block_rows ; s5 = mul s5, first }
        { sst [result_copy + copy_inner], s4 ; s5 = add s5, query_head }
        { sst [result_tail + copy_inner], s4 }
        copy [result_copy], s0, s5
        copy [result_tail], s0, s5
        wait f2, 2
        fset f2, 0
        ret s1

        .include "../common/divide.inc"
