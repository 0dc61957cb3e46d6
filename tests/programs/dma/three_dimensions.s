# Three dimensions of runs: word (a, b, c) of a 2 x 3 x 4 array goes to (c, b, a) of a 4 x 3 x 2 one.
# expect: hbm[target] = 100, 112, 104, 116, 108, 120, 101, 113, 105, 117, 109, 121, 102, 114, 106, 118, 110, 122, 103, 115, 107, 119, 111, 123
# expect: vmem[r] = r < 4 ? (j < 2 ? 100 + r + 12 * j : 0) : 0
# expect: vmem[8 + r] = r < 4 && j < 2 ? 104 + r + 12 * j : 0

        .include "common.inc"
        .data
        .align  4
source: numbers 24, 100
        .bss
        .align  4
target: .space  96
        .text

        clear   0, 2
        describe d0, FLAG, 1, lo(source), lo(target), 4, n1=4, s1=4, d1=24, n2=3, s2=16, d2=8, n3=2, s3=48, d3=4
        copy_and_wait d0, 1
        describe d0, HBM_TO_VMEM | FLAG, 1, lo(source), 0, 4, n1=2, s1=48, d1=4, n2=4, s2=4, d2=ROW_BYTES, n3=2, s3=16, d3=8 * ROW_BYTES
        copy_and_wait d0, 2
        halt
