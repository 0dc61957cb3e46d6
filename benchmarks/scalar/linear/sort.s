# benchmarks/scalar/sort.s in linear form: quicksort with the SMEM stack, insertion sort for short
# runs. The program checks its own work: explicit trap 2 when a neighbour is out of order. Trap 1:
# too many values for SMEM.

        .arguments
        .include "../../common/linear.inc"

        .tensor values, s32, [count], inout
        .equ arguments, 0
        .equ stack_words, 256                   # depth is logarithmic: the longer part is looped
        .equ short_run, 12

        .smem
        .align 16
load_values:    .space 16
store_values:   .space 16
stack:          .space stack_words
data:           .space 0

        .text
        .global start
        .entry start
        .linear start
        %count = sld [arguments + argument_sizes]
        %end = add %count, data
        %large = gt.u32 %end, SMEM_WORDS
        @%large trap 1
        descriptor load_values, in_hbm, in_smem, 0
        tensor_address load_values, copy_source, arguments, 0
        store_word load_values + copy_target, data << 2
        descriptor store_values, in_smem, in_hbm, 0
        tensor_address store_values, copy_target, arguments, 0
        store_word store_values + copy_source, data << 2
        %bytes = shl %count, 2
        sst [load_values + copy_length], %bytes
        sst [store_values + copy_length], %bytes
        copy_and_wait load_values, f0

        s2 = mov stack + stack_words
        s4 = mov data
        s5 = sub %end, 1
        %several = lt.s32 s4, s5
        @%several s1 = call sort

        # every neighbour in order
        %length = sld [arguments + argument_sizes]
        %last = add %length, data - 1
        %at = mov data
        %wrong = ne s0, s0
        %none = ge.s32 %at, %last
        @%none br checked
check:
        %one = sld [%at]
        %next = sld [%at + 1]
        %greater = gt.s32 %one, %next
        %wrong = por %wrong, %greater
        %at = add %at, 1
        %more = lt.s32 %at, %last
        @%more br check
        @%wrong trap 2
checked:
        copy_and_wait store_values, f0
        halt
        .endlinear

# Sorts the words s4..s5, both included. Overwrites everything but s2 and s3.
        .linear sort
        %first = mov s4
        %last = mov s5
again:
        %span = sub %last, %first
        %short = lt.s32 %span, short_run
        @%short br insertion_sort
        # the pivot: the middle of first, middle and last
        %half = shr %span, 1
        %middle = add %first, %half
        %a = sld [%first]
        %b = sld [%middle]
        %c = sld [%last]
        %least = min.s32 %a, %c
        %most = max.s32 %a, %c
        %pivot = max.s32 %b, %least
        %pivot = min.s32 %pivot, %most
        %up = mov %first
        %down = mov %last
        # up and down move towards each other, exchanging elements on the wrong side
partition:
        %left = sld [%up]
        %smaller = lt.s32 %left, %pivot
        @%smaller %up = add %up, 1
        @%smaller br partition
from_right:
        %right = sld [%down]
        %larger = gt.s32 %right, %pivot
        @%larger %down = sub %down, 1
        @%larger br from_right
        %meet = le.s32 %up, %down
        @%meet sst [%up], %right
        @%meet sst [%down], %left
        @%meet %up = add %up, 1
        @%meet %down = sub %down, 1
        %apart = le.s32 %up, %down
        @%apart br partition
        # the shorter part by a call, the longer one by the loop
        %left_part = sub %down, %first
        %right_part = sub %last, %up
        %left_is_shorter = lt.s32 %left_part, %right_part
        s4 = mov %up
        s5 = mov %last
        @%left_is_shorter s4 = mov %first
        @%left_is_shorter s5 = mov %down
        @%left_is_shorter %first = mov %up
        @!%left_is_shorter %last = mov %down
        %several = lt.s32 s4, s5
        @!%several br longer
        s2 = sub s2, 3
        sst [s2], s1
        sst [s2 + 1], %first
        sst [s2 + 2], %last
        s1 = call sort
        s1 = sld [s2]
        s4 = sld [s2 + 1]
        s5 = sld [s2 + 2]
        s2 = add s2, 3
        br sort
longer:
        %left_over = lt.s32 %first, %last
        @%left_over br again
        ret s1

insertion_sort:
        %at = add %first, 1
        %beyond = gt.s32 %at, %last
        @%beyond ret s1
insert:
        %value = sld [%at]
        %to = sub %at, 1
shift:
        %before = sld [%to]
        %larger = gt.s32 %before, %value
        @%larger sst [%to + 1], %before
        %inside = gt.s32 %to, %first
        %to = sub %to, 1
        %go_on = pand %larger, %inside
        @%go_on br shift
        @!%larger %to = add %to, 1
        sst [%to + 1], %value
        %at = add %at, 1
        %more = le.s32 %at, %last
        @%more br insert
        ret s1
        .endlinear
