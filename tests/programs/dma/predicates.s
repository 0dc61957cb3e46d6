# copy, wait, fadd and fset do nothing where their predicate is false: neither trap nor wait.
# expect: f1 = 1
# expect: f2 = 7
# expect: f3 = 5
# expect: smem[200] = 100

        .include "common.inc"
        .data
        .align  4
source: numbers 4, 100
        .text

        describe d0, HBM_TO_SMEM | FLAG, 1, lo(source), 800, 4
        { dma: @p1 copy [d0 + 32], s0, s0 }             # no descriptor there
        { dma: @!p1 copy [d0], s0, s0 }
        { dma: @p1 wait f1, 100 }
        { dma: @!p1 wait f1, 1 }
        { dma: @!p1 fset f2, 7 }
        { dma: @p1 fset f2, 8 }
        { dma: @!p1 fadd f3, 5 }
        { dma: @p1 fadd f3, 5 }
        halt
