# benchmarks/scalar/recursion.s in linear form: three recursions with the SMEM stack: Ackermann's
# function (as deep as its value), Fibonacci numbers (a binary tree of calls) and the Towers of Hanoi
# (with its pegs in SMEM, every move checked: explicit trap 1 puts a disc on a smaller one, trap 2
# takes one from an empty peg).
# problem: m, n for Ackermann, n for Fibonacci, discs for Hanoi (at most 30).
# answer: Ackermann's value, its calls, the Fibonacci number, the moves, discs on the last peg.

        .arguments
        .include "../../common/linear.inc"

        .tensor problem, s32, [4], in
        .tensor answer, s32, [5], out
        .equ arguments, 0
        .equ peg_words, 32
        .equ stack_words, 3072

        .smem
        .align 16
copy_in:        .space 16
copy_out:       .space 16
given:          .space 4
result:         .space 5
heights:        .space 3
pegs:           .space 3 * peg_words
stack:          .space stack_words

        .text
        .global start
        .entry start
        .linear start
        descriptor copy_in, in_hbm, in_smem, 0
        tensor_address copy_in, copy_source, arguments, 0
        store_word copy_in + copy_target, given << 2
        store_word copy_in + copy_length, 16
        copy [copy_in], s0, s0
        descriptor copy_out, in_smem, in_hbm, 0
        tensor_address copy_out, copy_target, arguments, 1
        store_word copy_out + copy_source, result << 2
        store_word copy_out + copy_length, 20
        wait f0, 1
        fset f0, 0
        s2 = mov stack + stack_words

        s4 = sld [given]
        s5 = sld [given + 1]
        s20 = mov 0
        s1 = call ackermann
        sst [result], s5
        sst [result + 1], s20

        s4 = sld [given + 2]
        s1 = call fibonacci
        sst [result + 2], s5

        # all discs on peg 0, the largest (number n) at the bottom
        %discs = sld [given + 3]
        sst [heights], %discs
        sst [heights + 1], s0
        sst [heights + 2], s0
        %disc = mov %discs
        %to = mov pegs
        %none = le.s32 %disc, 0
        @%none br filled
fill:
        sst [%to], %disc
        %to = add %to, 1
        %disc = sub %disc, 1
        %more = gt.s32 %disc, 0
        @%more br fill
filled:
        s4 = mov %discs
        s5 = mov 0
        s6 = mov 2
        s7 = mov 1
        s20 = mov 0
        s1 = call hanoi
        sst [result + 3], s20
        %last = sld [heights + 2]
        sst [result + 4], %last
        copy_and_wait copy_out, f0
        halt
        .endlinear

# s5 := Ackermann(s4, s5); s20 counts the calls. The outer recursion loops, the inner one calls.
        .linear ackermann
        s20 = add s20, 1
        %zero = eq s4, 0
        @%zero s5 = add s5, 1
        @%zero ret s1
        %from_one = eq s5, 0
        @%from_one s5 = mov 1
        @%from_one s4 = sub s4, 1
        @%from_one br ackermann
        s2 = sub s2, 2
        sst [s2], s1
        sst [s2 + 1], s4
        s5 = sub s5, 1
        s1 = call ackermann
        s1 = sld [s2]
        s4 = sld [s2 + 1]
        s4 = sub s4, 1
        s2 = add s2, 2
        br ackermann
        .endlinear

# s5 := the s4-th Fibonacci number.
        .linear fibonacci
        %small = lt.s32 s4, 2
        @%small s5 = mov s4
        @%small ret s1
        s2 = sub s2, 3
        sst [s2], s1
        sst [s2 + 1], s4
        s4 = sub s4, 1
        s1 = call fibonacci
        sst [s2 + 2], s5
        s4 = sld [s2 + 1]
        s4 = sub s4, 2
        s1 = call fibonacci
        s1 = sld [s2]
        %other = sld [s2 + 2]
        s5 = add s5, %other
        s2 = add s2, 3
        ret s1
        .endlinear

# Moves s4 discs from peg s5 to peg s6 by way of peg s7; s20 counts.
        .linear hanoi
        %none = eq s4, 0
        @%none ret s1
        s2 = sub s2, 5
        sst [s2], s1
        sst [s2 + 1], s4
        sst [s2 + 2], s5
        sst [s2 + 3], s6
        sst [s2 + 4], s7
        s4 = sub s4, 1
        %by_way = mov s6
        s6 = mov s7
        s7 = mov %by_way
        s1 = call hanoi
        %from = sld [s2 + 2]
        %to = sld [s2 + 3]
        # take the top disc of the one peg
        %height = sld [%from + heights]
        %empty = eq %height, 0
        @%empty trap 2
        %height = sub %height, 1
        sst [%from + heights], %height
        %place = mul %from, peg_words
        %place = add %place, %height
        %disc = sld [%place + pegs]
        # and put it on the other
        %onto = sld [%to + heights]
        %free = mul %to, peg_words
        %free = add %free, %onto
        %bare = eq %onto, 0
        @!%bare %under = sld [%free + pegs - 1]
        @%bare %under = mov peg_words
        %wrong = ge.s32 %disc, %under
        @%wrong trap 1
        sst [%free + pegs], %disc
        %onto = add %onto, 1
        sst [%to + heights], %onto
        s20 = add s20, 1
        s4 = sld [s2 + 1]
        s4 = sub s4, 1
        s5 = sld [s2 + 4]
        s6 = sld [s2 + 3]
        s7 = sld [s2 + 2]
        s1 = call hanoi
        s1 = sld [s2]
        s5 = sld [s2 + 2]
        s6 = sld [s2 + 3]
        s7 = sld [s2 + 4]
        s2 = add s2, 5
        ret s1
        .endlinear
