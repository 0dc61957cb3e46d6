# Decoding from a llama2.c checkpoint in one launch: no host between start and halt. The next token is
# the likeliest one, or drawn at a temperature.
#
# Sizes come from the config tensor (the seven words of the checkpoint's header); `tandem llama`
# converts checkpoint and tokenizer into the tensors below. L = LANES; a strip is Kp inputs by 2L
# outputs, inputs down the rows, the low halves of a row outputs 0..L-1, the high halves L..2L-1,
# so that a strip times a vector gives two rows of L results in order.
#
# Order of the weights in the stream of strips, C = rows of L lanes that the pairs of one position's
# keys need, G = query heads a key head:
#   a layer: G*C query strips, C key strips, C value strips (low halves: even dimensions, high
#   halves: odd ones, lane j of strip c the pair c*L + j = kv head * head_size/2 + i),
#   attention output, w1, w3, w2 (an output strip: its parts of Kp inputs in order); then the
#   classifier. Missing inputs and outputs are zero.
#
# Weights are bf16, those of the classifier a sum of two bf16 (every strip is followed by the strip of
# the second terms), because their rounding goes straight into the logits and flips near ties.
# Residual stream, activations, norms, softmax and logits are fp32; q, k, p and v go through bf16.
# Regions for counters, traces and reports, one a part of a token: marker 1 its embedding and angles, 2
# attention with its norm, 3 the feed-forward network with its norm, 4 the classifier with its norm, and
# the choice of the next token. What stands before marker 1 sets up.
#
# Explicit traps: 1 sizes do not fit together, 2 VMEM is too small, 3 the strips are not as many as
# the sizes say, 4 no logit is a number, 5 a token outside the vocabulary.

        .include "../benchmarks/common/common.inc"

        .include "tensors.inc"

        .equ most_blocks, 32            # of 8 heads: even and odd sums share 64 accumulators

# Registers that live through the program.
        .reg slot, s31          # weight buffer that is used next, 0..3
        .reg slot_row, s30      # its first VMEM row
        .reg round, s29         # how many copies into it the next use needs
        .reg fetch, s28         # stream position of the next copy, in words
        .reg stream_end, s27
        .reg strip_words, s26
        .reg strip_rows, s25    # Kp
        .reg position, s24
        .reg token, s23
        .reg layer, s22
        .reg ring_rows, s20     # of the weight buffers: where slot_row begins again
                                # p6: all weights are in VMEM, nothing is streamed
        .reg norm_row, s21      # weights of the next norm
        .reg lane_number, v63

        .include "words.inc"
arguments:      .space 16 * tensor_count

        .text
        .global start
start:
        s1 = call set_up
        s1 = call clear_vmem    # of the s18 rows that set_up reserved
        s1 = call load_constants
        s1 = call start_stream

next_token:
        marker 1
        s1 = call load_token
        layer = mov s0
        norm_row = sld [norms_row]
next_layer:
        marker 2
        s1 = call load_cache
        s1 = call rms_norm
        # queries, keys, values
        s4 = sld [qkv_strips]
        s6 = sld [normed_row]
        { s6 = shl s6, LANES_LOG2 ; s7 = sld [qkv_row] }
        { s1 = call matvec ; s5 = mov 1 }
        s1 = call rotate
        s1 = call spread_queries
        s1 = call save_cache
        s1 = call scores
        s1 = call softmax
        s1 = call mix_values
        s1 = call gather_heads
        s4 = sld [model_strips]
        s5 = sld [attention_parts]
        s6 = sld [attention_row]
        { s6 = shl s6, LANES_LOG2 ; s7 = sld [update_row] }
        s1 = call matvec
        s1 = call add_update
feed_forward:
        marker 3
        s1 = call rms_norm
        { s4 = sld [hidden_strips] ; s5 = mov 1 }
        s6 = sld [normed_row]
        { s6 = shl s6, LANES_LOG2 ; s7 = sld [gate_row] }
        { s1 = call matvec ; s4 = shl s4, 1 }
        s1 = call swiglu
        s4 = sld [model_strips]
        s5 = sld [hidden_parts]
        s6 = sld [hidden_row]
        { s6 = shl s6, LANES_LOG2 ; s7 = sld [update_row] }
        s1 = call matvec
        s1 = call add_update
        s4 = sld [layers]
        layer = add layer, 1
        p1 = lt.u32 layer, s4
        @p1 br next_layer

classify:
        marker 4
        s1 = call rms_norm
        s4 = sld [logit_strips]
        s6 = sld [normed_row]
        { s6 = shl s6, LANES_LOG2 ; s7 = sld [logits_row] }
        { s1 = call matvec_two_terms ; s5 = mov 2 }
        s1 = call choose_token
        s1 = call report_token
        s4 = sld [end_token]
        { p1 = ne token, s4 ; s5 = sld [made] }
        s6 = sld [wanted]
        p2 = lt.u32 s5, s6
        p1 = pand p1, p2
        @p1 br next_token
        halt

        .include "set_up.inc"
        .include "matvec.inc"
        .include "elementwise.inc"
        .include "attention.inc"
        .include "token.inc"
        .include "../benchmarks/common/divide.inc"
