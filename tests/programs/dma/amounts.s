# A copy adds the amount of its descriptor to its own flag: largest amount, several flags, and waits
# that each prove one copy.
# expect: f1 = 0x7fffffff
# expect: f2 = 3
# expect: f31 = 12
# expect: smem[200] = 100, 101, 102, 103

        .include "common.inc"
        .data
        .align  4
source: numbers 4, 100
        .text

        describe d0, HBM_TO_SMEM | FLAG, 0x7fffffff, lo(source), 800, 4
        describe d1, HBM_TO_SMEM | (2 * FLAG), 3, lo(source + 4), 804, 4
        describe d2, HBM_TO_SMEM | (31 * FLAG), 4, lo(source + 8), 808, 8
        { dma: copy [d0], s0, s0 ; sa: s4 = mov 0x7fffffff }
        { dma: copy [d1], s0, s0 }
        { dma: fset f31, 8 }
        { dma: copy [d2], s0, s0 }
        { dma: wait f31, 12 }
        { dma: wait f1, s4 }
        { dma: wait f2, 1 }
        halt
