# A copy within SMEM has ended and waits for an older one of its flag, to HBM, to complete; in the cycles
# in which both complete, a third one ends: none is forgotten. Idle for all distances around it.
# expect: s4 = 90
# expect: f1 = 0
# expect: smem[400] = 7
# expect: smem[416] = 7
# expect: hbm[target] = 7

        .include "common.inc"
        .bss
target: .space  64
        .text
        describe d1, SMEM_TO_HBM | FLAG, 1, 800, lo(target), 4
        describe d2, SMEM_TO_SMEM | FLAG, 1, 800, 1600, 4
        put     200, 7
        s5 = mov 16
next:   { dma: copy [d1], s0, s0 }
        { dma: copy [d2], s0, s0 }
        { sa: idle s4 }
        { dma: copy [d2], s0, s5 ; sa: s4 = add s4, 1 ; sb: p1 = lt.s32 s4, 89 }
        { dma: wait f1, 3 }
        { dma: fset f1, 0 ; sa: @p1 br next }
        halt
