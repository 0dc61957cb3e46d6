# Three recursions with the SMEM stack: Ackermann's function (as deep as its value), Fibonacci
# numbers (a binary tree of calls) and the Towers of Hanoi (with its pegs in SMEM, every move
# checked: explicit trap 1 puts a disc on a smaller one, trap 2 takes one from an empty peg).
# problem: m, n for Ackermann, n for Fibonacci, discs for Hanoi (at most 30).
# answer: Ackermann's value, its calls, the Fibonacci number, the moves, discs on the last peg.

        .include "../common/common.inc"

        .tensor problem, s32, [4], in
        .tensor answer, s32, [5], out
        .equ tensor_count, 2
        .equ peg_words, 32
        .equ stack_words, 3072

        .smem
        .align 16
copy_in:        .space 16
copy_out:       .space 16
setup_copy:     .space 16
arguments:      .space 16 * tensor_count
given:          .space 4
result:         .space 5
heights:        .space 3
pegs:           .space 3 * peg_words
stack:          .space stack_words

        .text
        .global start
start:
        fetch_arguments setup_copy, arguments, tensor_count
        descriptor copy_in, in_hbm, in_smem, 0
        tensor_address copy_in, copy_source, arguments, 0
        store_word copy_in + copy_target, given << 2
        store_word copy_in + copy_length, 16
        descriptor copy_out, in_smem, in_hbm, 0
        tensor_address copy_out, copy_target, arguments, 1
        store_word copy_out + copy_source, result << 2
        store_word copy_out + copy_length, 20
        copy_and_wait copy_in, f0
        s2 = mov stack + stack_words

        s4 = sld [given]
        { s5 = sld [given + 1] ; s20 = mov s0 }
        s1 = call ackermann
        sst [result], s5
        sst [result + 1], s20

        s4 = sld [given + 2]
        s1 = call fibonacci
        sst [result + 2], s5

        # all discs on peg 0, the largest (number n) at the bottom
        s4 = sld [given + 3]
        { sst [heights], s4 ; s5 = mov pegs }
        s6 = mov s4
fill:
        p1 = le.s32 s6, 0
        @p1 br filled
        { sst [s5], s6 ; s5 = add s5, 1 ; }
        { s6 = sub s6, 1 ; br fill }
filled:
        { s5 = mov 0 ; s6 = mov 2 }
        { s7 = mov 1 ; s20 = mov s0 }
        s1 = call hanoi
        sst [result + 3], s20
        s4 = sld [heights + 2]
        sst [result + 4], s4
        copy_and_wait copy_out, f0
        halt

# s5 := Ackermann(s4, s5); s20 counts the calls. The outer recursion is a loop, the inner one a
# call. Overwrites s4, s5.
ackermann:
        { p1 = eq s4, 0 ; s20 = add s20, 1 }
        @p1 s5 = add s5, 1
        @p1 ret s1
        p1 = eq s5, 0
        { @p1 s5 = mov 1 ; @p1 s4 = sub s4, 1 }
        @p1 br ackermann
        { s2 = sub s2, 2 ; s5 = sub s5, 1 }
        sst [s2], s1
        sst [s2 + 1], s4
        s1 = call ackermann
        s1 = sld [s2]
        { s4 = sld [s2 + 1] ; s2 = add s2, 2 }
        { s4 = sub s4, 1 ; br ackermann }

# s5 := the s4-th Fibonacci number. Overwrites s4, s6.
fibonacci:
        p1 = lt.s32 s4, 2
        @p1 s5 = mov s4
        @p1 ret s1
        { s2 = sub s2, 3 }
        sst [s2], s1
        { sst [s2 + 1], s4 ; s4 = sub s4, 1 }
        s1 = call fibonacci
        s4 = sld [s2 + 1]
        { sst [s2 + 2], s5 ; s4 = sub s4, 2 }
        s1 = call fibonacci
        s6 = sld [s2 + 2]
        { s1 = sld [s2] ; s2 = add s2, 3 }
        { s5 = add s5, s6 ; ret s1 }

# Moves s4 discs from peg s5 to peg s6 by way of peg s7; s20 counts. Overwrites s4, s8..s12.
hanoi:
        p1 = eq s4, 0
        @p1 ret s1
        { s2 = sub s2, 5 }
        sst [s2], s1
        sst [s2 + 1], s4
        sst [s2 + 2], s5
        sst [s2 + 3], s6
        sst [s2 + 4], s7
        { s4 = sub s4, 1 ; s8 = mov s6 }
        { s6 = mov s7 ; s7 = mov s8 }
        s1 = call hanoi
        s5 = sld [s2 + 2]
        s6 = sld [s2 + 3]
        # take the top disc of peg s5
        s8 = sld [s5 + heights]
        p1 = eq s8, 0
        @p1 trap 2
        { s8 = sub s8, 1 ; s9 = mul s5, peg_words }
        { sst [s5 + heights], s8 ; s9 = add s9, s8 }
        s9 = sld [s9 + pegs]
        # and put it on peg s6
        { s10 = sld [s6 + heights] ; s11 = mul s6, peg_words }
        { s11 = add s11, s10 ; p1 = eq s10, 0 ; }
        @!p1 s12 = sld [s11 + pegs - 1]
        @p1 s12 = mov peg_words
        p2 = ge.s32 s9, s12
        @p2 trap 1
        { sst [s11 + pegs], s9 ; s10 = add s10, 1 }
        { sst [s6 + heights], s10 ; s20 = add s20, 1 }
        s4 = sld [s2 + 1]
        { s7 = sld [s2 + 2] ; s4 = sub s4, 1 }
        s5 = sld [s2 + 4]
        s1 = call hanoi
        s1 = sld [s2]
        s5 = sld [s2 + 2]
        s6 = sld [s2 + 3]
        { s7 = sld [s2 + 4] ; s2 = add s2, 5 }
        ret s1
