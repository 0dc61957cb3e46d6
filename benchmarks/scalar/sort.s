# Sorts signed integers in place: quicksort with the SMEM stack, insertion sort for short runs. The
# program checks its own work: explicit trap 2 when a neighbour is out of order. Trap 1: too many
# values for SMEM.

        .include "../common/common.inc"

        .tensor values, s32, [count], inout
        .equ tensor_count, 1
        .equ stack_words, 256                   # depth is logarithmic: the longer part is looped
        .equ short_run, 12

        .smem
        .align 16
load_values:    .space 16
store_values:   .space 16
setup_copy:     .space 16
arguments:      .space 16 * tensor_count
stack:          .space stack_words
data:           .space 0

        .text
        .global start
start:
        fetch_arguments setup_copy, arguments, tensor_count
        s31 = sld [arguments + argument_sizes]
        s4 = add s31, data
        p1 = gt.u32 s4, SMEM_WORDS
        @p1 trap 1
        descriptor load_values, in_hbm, in_smem, 0
        tensor_address load_values, copy_source, arguments, 0
        store_word load_values + copy_target, data << 2
        descriptor store_values, in_smem, in_hbm, 0
        tensor_address store_values, copy_target, arguments, 0
        store_word store_values + copy_source, data << 2
        s4 = shl s31, 2
        sst [load_values + copy_length], s4
        sst [store_values + copy_length], s4
        copy_and_wait load_values, f0

        # s4, s5: first and last word of the run
        { s2 = mov stack + stack_words ; s4 = mov data }
        { s5 = add s4, s31 }
        s5 = sub s5, 1
        p1 = lt.s32 s4, s5
        @p1 s1 = call sort

        # every neighbour in order
        { s4 = mov data ; s5 = add s31, data - 1 }
check:
        p1 = ge.s32 s4, s5
        @p1 br checked
        { s6 = sld [s4] ; s4 = add s4, 1 }
        s7 = sld [s4]
        p1 = gt.s32 s6, s7
        { @p1 trap 2 }
        br check
checked:
        copy_and_wait store_values, f0
        halt

# Sorts the words s4..s5. Overwrites s4..s12, p1..p3.
sort:
        s6 = sub s5, s4
        p1 = lt.s32 s6, short_run
        @p1 br insertion_sort
        # the pivot: the middle of first, middle and last
        { s7 = shr s6, 1 ; s9 = sld [s4] }
        { s7 = add s7, s4 ; s10 = sld [s5] }
        s8 = sld [s7]
        { s11 = min.s32 s9, s10 ; s12 = max.s32 s9, s10 }
        s8 = max.s32 s8, s11
        s8 = min.s32 s8, s12
        { s6 = mov s4 ; s7 = mov s5 }
        # s6 and s7 move towards each other, exchanging elements on the wrong side of s8
partition:
        s9 = sld [s6]
        p1 = lt.s32 s9, s8
        { @p1 s6 = add s6, 1 }
        @p1 br partition
from_right:
        s10 = sld [s7]
        p1 = gt.s32 s10, s8
        { @p1 s7 = sub s7, 1 }
        @p1 br from_right
        p1 = le.s32 s6, s7
        { @p1 sst [s6], s10 ; @p1 s6 = add s6, 1 }
        { @p1 sst [s7], s9 ; @p1 s7 = sub s7, 1 }
        p1 = le.s32 s6, s7
        @p1 br partition
        # s4..s7 and s6..s5: the shorter part by a call, the longer one by the loop
        { s9 = sub s7, s4 ; s10 = sub s5, s6 }
        p1 = lt.s32 s9, s10
        { s2 = sub s2, 3 }
        sst [s2], s1
        @p1 br shorter_left
        # the right part is the shorter one
        sst [s2 + 1], s4
        { sst [s2 + 2], s7 ; s4 = mov s6 }
        br call_shorter
shorter_left:
        sst [s2 + 1], s6
        { sst [s2 + 2], s5 ; s5 = mov s7 }
call_shorter:
        p1 = lt.s32 s4, s5
        @p1 s1 = call sort
        s1 = sld [s2]
        s4 = sld [s2 + 1]
        { s5 = sld [s2 + 2] ; s2 = add s2, 3 }
        p1 = lt.s32 s4, s5
        @p1 br sort
        ret s1

insertion_sort:
        s6 = add s4, 1
insert:
        p1 = gt.s32 s6, s5
        @p1 ret s1
        { s8 = sld [s6] ; s7 = sub s6, 1 }
shift:
        p1 = lt.s32 s7, s4
        @p1 br put
        s9 = sld [s7]
        p1 = le.s32 s9, s8
        @p1 br put
        { sst [s7 + 1], s9 ; s7 = sub s7, 1 }
        br shift
put:
        { sst [s7 + 1], s8 ; s6 = add s6, 1 }
        br insert
