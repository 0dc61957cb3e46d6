# `fadd` to the flag of a copy in flight, at every distance around its completion: both amounts
# arrive, also when both come in one cycle.
# expect: f1 = 48 * 5
# expect: s4 = 48

        .include "common.inc"

        describe d0, SMEM_TO_SMEM | FLAG, 1, 800, 1600, 32
        .rept   48, i
        { dma: copy [d0], s0, s0 }
        .if     \i
        { sa: idle \i }
        .endif
        { dma: fadd f1, 4 ; sb: s4 = add s4, 1 }
        { dma: wait f1, 5 * \i + 5 }
        .endr
        halt
