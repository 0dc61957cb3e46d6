# copy, wait, fadd and fset do nothing where their predicate is false: neither trap nor wait.
# expect: f1 = 1
# expect: f2 = 7
# expect: f3 = 5
# expect: f4 = 6
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

        # Every predicate, false and true.
        describe d1, HBM_TO_SMEM | (4 * FLAG), 1, lo(source), 800, 4
        .rept   6, i
        { dma: @p[2 + \i] copy [d1 + 32], s0, s0 }
        .endr
        .rept   6, i
        p[2 + \i] = eq s0, 0
        { dma: @p[2 + \i] copy [d1], s0, s0 }
        { dma: wait f4, 1 + \i }
        .endr
        halt
