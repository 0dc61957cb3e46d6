# Finds every occurrence of a byte string in a text, overlapping ones too, by Knuth, Morris and
# Pratt. matches: how many, then the positions of the first ones, as many as there is room for.
# Trap 1: text and pattern are too long for SMEM, or the pattern is empty.

        .include "../common/common.inc"

        .tensor text, s8, [length], in
        .tensor pattern, s8, [pattern_length], in
        .tensor matches, s32, [room], inout
        .equ tensor_count, 3

        .smem
        .align 16
load_text:      .space 16
load_pattern:   .space 16
store_out:      .space 16
setup_copy:     .space 16
arguments:      .space 16 * tensor_count
word:           .space 1
memory:         .space 0

        .reg length, s31
        .reg pattern_length, s30
        .reg text_at, s29               # words of SMEM: four bytes a word
        .reg pattern_at, s28
        .reg border_at, s27             # of each prefix the length of its longest proper border
        .reg found, s26
        .reg room, s25

        .text
        .global start
start:
        fetch_arguments setup_copy, arguments, tensor_count
        length = sld [arguments + argument_sizes]
        pattern_length = sld [arguments + argument_words + argument_sizes]
        room = sld [arguments + 2 * argument_words + argument_sizes]
        text_at = mov memory
        ceil_shift s4, length, 2
        pattern_at = add text_at, s4
        ceil_shift s5, pattern_length, 2
        border_at = add pattern_at, s5
        s6 = add border_at, pattern_length
        { p1 = gt.u32 s6, SMEM_WORDS ; p2 = eq pattern_length, 0 }
        p1 = por p1, p2
        @p1 trap 1
        { s4 = shl s4, 2 ; s7 = shl s5, 2 }
        sst [load_text + copy_length], s4
        sst [load_pattern + copy_length], s7
        descriptor load_text, in_hbm, in_smem, 0
        tensor_address load_text, copy_source, arguments, 0
        s4 = shl text_at, 2
        sst [load_text + copy_target], s4
        descriptor load_pattern, in_hbm, in_smem, 0
        tensor_address load_pattern, copy_source, arguments, 1
        s4 = shl pattern_at, 2
        sst [load_pattern + copy_target], s4
        descriptor store_out, in_smem, in_hbm, 1
        tensor_address store_out, copy_target, arguments, 2
        store_word store_out + copy_source, word << 2
        store_word store_out + copy_length, 4
        copy [load_text], s0, s0
        copy [load_pattern], s0, s0
        wait f0, 2

        # borders of the pattern's prefixes: border[0] = 0
        sst [border_at], s0
        { s10 = mov 1 ; s11 = mov s0 }          # prefix end, border so far
next_border:
        p1 = ge.u32 s10, pattern_length
        @p1 br search
        { s4 = mov s10 ; s5 = mov pattern_at }
        s1 = call byte
        s12 = mov s6
        s1 = call longer_border
        s4 = add border_at, s10
        { sst [s4], s11 ; s10 = add s10, 1 }
        br next_border

search:
        { s10 = mov s0 ; s11 = mov s0 }
        found = mov s0
next_byte:
        p1 = ge.u32 s10, length
        @p1 br done
        { s4 = mov s10 ; s5 = mov text_at }
        s1 = call byte
        s12 = mov s6
        s1 = call longer_border
        { p1 = eq s11, pattern_length ; s10 = add s10, 1 }
        @!p1 br next_byte
        s4 = sub s10, pattern_length
        { found = add found, 1 }
        p1 = lt.u32 found, room
        { @p1 sst [word], s4 ; s4 = add border_at, s11 }
        @p1 copy [store_out], s0, found
        @p1 wait f1, 1
        @p1 fset f1, 0
        s11 = sld [s4 - 1]
        br next_byte
done:
        sst [word], found
        copy_and_wait store_out, f1
        halt

# s6 := byte s4 of the string at SMEM word s5, unsigned. Overwrites s4, s7.
byte:
        { s6 = shr s4, 2 ; s7 = and s4, 3 }
        { s6 = add s6, s5 ; s7 = shl s7, 3 }
        s6 = sld [s6]
        s6 = shr s6, s7
        { s6 = and s6, 255 ; ret s1 }

# s11 := the length of the longest prefix of the pattern that ends with byte s12, when the first
# s11 bytes of it precede that byte. Overwrites s4..s9, p1, p2.
longer_border:
        { s9 = mov s1 }
try_border:
        p1 = eq s11, pattern_length
        @p1 br shorten
        { s4 = mov s11 ; s5 = mov pattern_at }
        s1 = call byte
        p1 = eq s6, s12
        @p1 s11 = add s11, 1
        @p1 ret s9
        p1 = eq s11, 0
        @p1 ret s9
shorten:
        s4 = add border_at, s11
        s11 = sld [s4 - 1]
        br try_border
