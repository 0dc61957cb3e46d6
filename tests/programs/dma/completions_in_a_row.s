# Short copies to HBM that queue after a long one, so that their completions follow each other
# cycle by cycle: each adds to its flag exactly once.
# expect: f1 = 7
# expect: f2 = 21
# expect: f3 = 1

        .include "common.inc"
        .bss
target: .space  4096
        .text

        describe d0, SMEM_TO_SMEM | (3 * FLAG), 1, 4096, 8192, 2048
        describe d1, SMEM_TO_HBM | FLAG, 1, 800, lo(target), 4
        describe d2, SMEM_TO_HBM | (2 * FLAG), 3, 800, lo(target + 2048), 4
        { dma: copy [d0], s0, s0 }
        .rept   3, i
        s5 = mov 16 * \i
        { dma: copy [d1], s0, s5 }
        { dma: copy [d2], s0, s5 }
        .endr
        { dma: wait f1, 3 }
        { dma: wait f2, 9 }
        .rept   4, i
        s5 = mov 64 + 16 * \i
        { dma: copy [d1], s0, s5 }
        { dma: copy [d2], s0, s5 }
        .endr
        { dma: wait f1, 7 }
        { dma: wait f2, 21 }
        { dma: wait f3, 1 }
        halt
