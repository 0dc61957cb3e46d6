# benchmarks/scalar/search.s in linear form: every occurrence of a byte string in a text, overlapping
# ones too, by Knuth, Morris and Pratt. matches: how many, then the positions of the first ones, as
# many as there is room for. Trap 1: text and pattern are too long for SMEM, or the pattern is empty.

        .arguments
        .include "../../common/linear.inc"

        .tensor text, s8, [length], in
        .tensor pattern, s8, [pattern_length], in
        .tensor matches, s32, [room], inout
        .equ arguments, 0

        .smem
        .align 16
load_text:      .space 16
load_pattern:   .space 16
store_out:      .space 16
word:           .space 1
memory:         .space 0

# d := byte `index` of the string at SMEM word `at`, unsigned.
.macro byte d, at, index
        %byte_word = shr \index, 2
        %byte_word = add %byte_word, \at
        \d = sld [%byte_word]
        %byte_shift = and \index, 3
        %byte_shift = shl %byte_shift, 3
        \d = shr \d, %byte_shift
        \d = and \d, 255
.endm

# border := the length of the longest prefix of the pattern that ends with byte c, when the first
# `border` bytes of it precede that byte. No byte follows the whole pattern.
.macro longer_border border, c
try_border_\@:
        byte %expected, %pattern, \border
        %whole = eq \border, %pattern_length
        %wanted = sel %whole, %no_byte, \c
        %longer = eq %expected, %wanted
        %border_at = add %borders, \border
        %next = sld [%border_at - 1]
        %stop = eq \border, 0
        %stop = por %stop, %longer
        @!%stop \border = mov %next
        @!%stop br try_border_\@
        @%longer \border = add \border, 1
.endm

        .text
        .global start
        .entry start
        .linear start
        %length = sld [arguments + argument_sizes]
        %pattern_length = sld [arguments + argument_words + argument_sizes]
        %room = sld [arguments + 2 * argument_words + argument_sizes]
        # strings: four bytes a word; then of each prefix the length of its longest proper border
        %text_bytes = add %length, 3
        %text_bytes = and %text_bytes, -4
        %pattern_bytes = add %pattern_length, 3
        %pattern_bytes = and %pattern_bytes, -4
        %text = mov memory
        %text_words = shr %text_bytes, 2
        %pattern = add %text, %text_words
        %pattern_words = shr %pattern_bytes, 2
        %borders = add %pattern, %pattern_words
        %end = add %borders, %pattern_length
        %large = gt.u32 %end, SMEM_WORDS
        @%large trap 1
        %nothing = eq %pattern_length, 0
        @%nothing trap 1
        descriptor load_text, in_hbm, in_smem, 0
        tensor_address load_text, copy_source, arguments, 0
        store_word load_text + copy_target, memory << 2
        sst [load_text + copy_length], %text_bytes
        descriptor load_pattern, in_hbm, in_smem, 0
        tensor_address load_pattern, copy_source, arguments, 1
        %pattern_target = shl %pattern, 2
        sst [load_pattern + copy_target], %pattern_target
        sst [load_pattern + copy_length], %pattern_bytes
        copy [load_text], s0, s0
        copy [load_pattern], s0, s0
        descriptor store_out, in_smem, in_hbm, 1
        tensor_address store_out, copy_target, arguments, 2
        store_word store_out + copy_source, word << 2
        store_word store_out + copy_length, 4
        wait f0, 2

        %no_byte = mov -1
        # borders of the pattern's prefixes: border[0] = 0
        sst [%borders], s0
        %prefix = mov 1
        %border = mov 0
        %single = eq %pattern_length, 1
        @%single br search
next_border:
        byte %last, %pattern, %prefix
        longer_border %border, %last
        %into = add %borders, %prefix
        sst [%into], %border
        %prefix = add %prefix, 1
        %shorter = lt.u32 %prefix, %pattern_length
        @%shorter br next_border

search:
        %found = mov 0
        %at = mov 0
        %border = mov 0
        %no_text = eq %length, 0
        @%no_text br done
next_byte:
        byte %c, %text, %at
        longer_border %border, %c
        %at = add %at, 1
        %match = eq %border, %pattern_length
        @!%match br searched
        %found = add %found, 1
        %fits = lt.u32 %found, %room
        @!%fits br full
        %position = sub %at, %pattern_length
        sst [word], %position
        copy [store_out], s0, %found
        wait f1, 1
        fset f1, 0
full:
        %again_at = add %borders, %border
        %border = sld [%again_at - 1]
searched:
        %more = lt.u32 %at, %length
        @%more br next_byte
done:
        sst [word], %found
        copy_and_wait store_out, f1
        halt
        .endlinear
