# The Llama of llama/llama.s in linear form: the same tensors, the same weights in the same
# order, the same explicit traps (its head tells them), scheduled instead of packed by hand.
#
#   tandem llama --program llama/linear/llama.s
#
# Every token takes the one linear block `decode`, which calls `matvec` for everything that streams
# weights. State lives in SMEM (state.inc), since a call may overwrite every register.

        .arguments
        .include "macros.inc"
        .include "../tensors.inc"
        .equ arguments, 0
        .include "state.inc"
        .include "../words.inc"

        .include "set_up.inc"
        .include "elementwise.inc"
        .include "attention.inc"
        .include "token.inc"

# y at row [to] := the next `strips` strips, each of [parts] parts, times x at row [from].
.macro multiply parts, strips, from, to
        s4 = sld [\strips]
        s5 = sld [\parts]
        s6 = sld [\from]
        s6 = shl s6, LANES_LOG2
        %inputs = sld [strip_inputs]
        s7 = mul s5, %inputs
        s8 = sld [\to]
        s1 = call matvec
.endm

        .text
        .entry start
        .linear start
        derive_sizes
        lay_out
        # the weights come while everything else is made ready
        start_stream
        clear_rows
        load_constants
        start_norms
        .endlinear

        .linear prepare
        make_masks
        make_descriptors
        # position 0, from the token that begins a text; no save of the cache is under way
        sst [position], s0
        store_word token, 1
        fadd f6, 2
        wait f4, 1
        fset f4, 0
        %resident = sld [resident]
        %streamed = eq %resident, 0
        @%streamed br decode
        wait f0, 1
        .endlinear

        .linear decode
        br next_token
        draw_token
next_token:
        marker 1
        load_token
        marker 2
        rms_norm first_norm, 0
        br layer_body
next_layer:
        marker 2
        rms_norm attention_norm, 1
layer_body:
        # queries, keys, values
        s4 = sld [qkv_strips]
        s5 = mov 1
        s6 = sld [normed_row]
        s6 = shl s6, LANES_LOG2
        s7 = sld [strip_inputs]
        s8 = sld [qkv_row]
        s1 = call matvec
        rotate
        spread_queries
        save_cache
        scores
        softmax
        mix_values
        load_next_cache
        gather_heads
        multiply attention_parts, model_strips, attention_row, update_row

        marker 3
        rms_norm feed_norm, 1
        s4 = sld [hidden_strips]
        s4 = shl s4, 1
        s5 = mov 1
        s6 = sld [normed_row]
        s6 = shl s6, LANES_LOG2
        s7 = sld [strip_inputs]
        s8 = sld [gate_row]
        s1 = call matvec
        swiglu
        multiply hidden_parts, model_strips, hidden_row, update_row
        %layers = sld [layers]
        %this_layer = sld [layer]
        %this_layer = add %this_layer, 1
        sst [layer], %this_layer
        %more_layers = lt.u32 %this_layer, %layers
        @%more_layers br next_layer

        marker 4
        rms_norm last_norm, 1
        s4 = sld [logit_strips]
        s5 = mov 2                      # terms, of the same inputs
        s6 = sld [normed_row]
        s6 = shl s6, LANES_LOG2
        s7 = sld [strip_inputs]
        s8 = sld [logits_row]
        s1 = call matvec
        choose_token
        report_token
        %this = sld [token]
        %end = sld [end_token]
        %made = sld [made]
        %wanted = sld [wanted]
        %goes_on = ne %this, %end
        %fewer = lt.u32 %made, %wanted
        %again = pand %goes_on, %fewer
        @%again br next_token
        report_progress
        halt
        .endlinear

.rept gap_before_matvec
        {}
.endr
        .include "matvec.inc"
