# Many copies in flight, more than any queue holds; one wait for all of them.
# expect: smem[400 + r] = 100 + r
# expect: smem[400 + 39] = 139
# expect: smem[440] = 0
# expect: f1 = 40

        .include "common.inc"
        .data
        .align  4
source: numbers 40, 100
        .text

        describe d0, HBM_TO_SMEM | FLAG, 1, lo(source), 1600, 4
        p1 = eq s0, s0
next:   { dma: copy [d0], s4, s4 ; sa: s4 = add s4, 1 ; sb: p1 = lt.u32 s4, 39 }
        @p1 br  next
        { dma: wait f1, 40 }
        halt
