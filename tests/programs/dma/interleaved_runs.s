# Runs of two dimensions that interleave and touch without sharing a byte: no race of a copy with itself.
# expect: smem[400] = 7, 0, 9, 8, 11, 10, 0, 12

        .include "common.inc"
        .data
        .align  4
source: numbers 6, 7
        .text
        describe d0, HBM_TO_SMEM | FLAG, 1, lo(source), 1600, 4, n1=2, s1=4, d1=12, n2=3, s2=8, d2=8
        copy_and_wait d0, 1
        halt
