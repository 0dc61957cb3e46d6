# Version 1 to the own chip: one copy adds to two flags, to one flag twice, or with an amount here of
# zero to one; an amount there of 65,535 is positive; a copy of nothing adds to both.
# expect: f1 = 65535
# expect: f2 = 255
# expect: f3 = 12
# expect: f4 = 6
# expect: f5 = 0
# expect: f6 = 8
# expect: f7 = 9
# expect: f8 = 3
# expect: f9 = 2
# expect: vmem[0][0] = 40
# expect: vmem[1][0] = 41
# expect: vmem[2][0] = 42
# expect: hbm[target] = 40

        .include "common.inc"
        .equ    HERE, 1 << 16
        .equ    TIMES_HERE, 1 << 24
        .data
        .align  4
source: numbers 4, 40
        .bss
        .align  4
target: .space  64
        .text
        clear   0, 1
        describe d0, HBM_TO_VMEM | FLAG | 1, 65535 | (2 * HERE) | (255 * TIMES_HERE), lo(source), 0, 4
        describe d1, HBM_TO_VMEM | (3 * FLAG) | 1, 5 | (3 * HERE) | (7 * TIMES_HERE), lo(source + 4), ROW_BYTES, 4
        describe d2, HBM_TO_VMEM | (4 * FLAG) | 1, 6 | (5 * HERE), lo(source + 8), 2 * ROW_BYTES, 4
        { dma: copy [d0], s0, s0 }
        { dma: copy [d1], s0, s0 }
        { dma: copy [d2], s0, s0 }
        { dma: wait f2, 255 }
        { sa: s9 = mov 65535 }
        { dma: wait f1, s9 }
        { dma: wait f3, 12 }
        { dma: wait f4, 6 }
        describe d0, VMEM_TO_HBM | (6 * FLAG) | 1, 8 | (7 * HERE) | (9 * TIMES_HERE), 0, lo(target), 4
        { dma: copy [d0], s0, s0 }
        { dma: wait f7, 9 }
        { dma: wait f6, 8 }
        describe d1, VMEM_TO_HBM | (8 * FLAG) | 1, 3 | (9 * HERE) | (2 * TIMES_HERE), 0, lo(target), 0
        { dma: copy [d1], s0, s0 }
        { dma: wait f9, 2 }
        { dma: wait f8, 3 }
        halt
