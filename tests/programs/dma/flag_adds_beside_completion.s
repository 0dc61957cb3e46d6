# Additions to one flag in every cycle, while copies complete on another: each counts once.
# expect: f1 = 70
# expect: f2 = 40 * 12
# expect: f3 = 5

        .include "common.inc"
        .data
        .align  4
source: numbers 8, 100
        .text
        describe d0, HBM_TO_SMEM | FLAG, 10, lo(source), 1600, 4
        { s5 = mov 0 ; sb: s4 = mov 0 }
        p1 = eq s0, s0
start:  { dma: copy [d0], s0, s4 ; sa: s4 = add s4, 1 ; sb: p1 = lt.u32 s4, 6 }
        @p1 br  start
again:  .rept   38
        { dma: fadd f2, 1 }
        .endr
        { dma: fadd f2, 1 ; sa: s5 = add s5, 1 ; sb: p1 = lt.u32 s5, 11 }
        { dma: fadd f2, 1 ; sa: @p1 br again }
        { dma: fset f3, 5 }
        { dma: wait f1, 70 }
        halt
