# `fadd` to the flag here of a copy of version 1 in flight, at every distance around its completion.
# expect: f1 = 34
# expect: f2 = 34 * 7
# expect: s4 = 34

        .include "common.inc"

        describe d0, SMEM_TO_VMEM | FLAG | 1, 1 | (2 << 16) | (3 << 24), 800, 1600, 32
        .rept   34, i
        { dma: copy [d0], s0, s0 }
        .if     \i
        { sa: idle \i }
        .endif
        { dma: fadd f2, 4 ; sb: s4 = add s4, 1 }
        { dma: wait f2, 7 * \i + 7 }
        { dma: wait f1, \i + 1 }
        .endr
        halt
