# A copy from VMEM to HBM: whole rows, and words that begin and end inside a row and a beat; what
# is beside them stays.
# expect: hbm[target] = 0x80000001, 0x81020305, 0x82040609, 0x8306090d
# expect: hbm[target + 4 * (8 * LANES - 1)] = lo(0x01020304 * (8 * LANES - 1) + 0x80000001)
# expect: hbm[edges] = 7000, 0x850a0f15, 0x860c1219, 0x870e151d, 7004
# expect: hbm[single] = 7100, 0x80000001, 7102
# expect: f1 = 3

        .include "common.inc"
        .include "../numbered.inc"
        .data
        .align  64
edges:  numbers 5, 7000
single: numbers 3, 7100
        .bss
        .align  64
target: .space  8 * ROW_BYTES
        .text

        vst     [8], v1
        describe d0, VMEM_TO_HBM | FLAG, 1, 8 * ROW_BYTES, lo(target), 8 * ROW_BYTES
        copy_and_wait d0, 1
        describe d0, VMEM_TO_HBM | FLAG, 1, 8 * ROW_BYTES + 20, lo(edges + 4), 12
        copy_and_wait d0, 2
        describe d0, VMEM_TO_HBM | FLAG, 1, 8 * ROW_BYTES, lo(single + 4), 4
        copy_and_wait d0, 3
        halt
