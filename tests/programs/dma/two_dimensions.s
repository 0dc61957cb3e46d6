# Two dimensions of runs: a transposed tile from HBM to SMEM, and a tile between pitches, upwards
# from its last row.
# expect: smem[100] = 100, 110, 120, 101, 111, 121, 102, 112, 122, 103, 113, 123
# expect: hbm[tile] = 0, 121, 122, 0, 111, 112, 0, 101, 102, 0

        .include "common.inc"
        .data
        .align  4
source: numbers 40, 100
        .bss
        .align  4
tile:   .space  40
        .text

        describe d0, HBM_TO_SMEM | FLAG, 1, lo(source), 400, 4, n1=3, s1=40, d1=4, n2=4, s2=4, d2=12
        copy_and_wait d0, 1
        describe d0, FLAG, 1, lo(source + 84), lo(tile + 4), 4, n1=2, s1=4, d1=4, n2=3, s2=-40, d2=12
        copy_and_wait d0, 2
        halt
