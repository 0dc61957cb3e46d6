# The program reads the time, in rounds a cycle apart, while a copy completes; then what the copy
# brought is overwritten at once.
# expect: s6 = 100
# expect: f1 = 100
# expect: smem[201] = -1, -1, -1
# expect: smem[300] = -1

        .include "common.inc"
        .data
        .align  4
source: numbers 1, 100
        .text

        describe d0, HBM_TO_SMEM | FLAG, 1, lo(source), 800, 4
        s7 = mov -1
round:  { sa: s6 = add s6, 1 }
        { dma: copy [d0], s0, s6 }
        { sa: idle s6 }
        { sb: s4 = csr cycles_lo }
        { dma: wait f1, s6 }
        { sb: sst [s6 + 200], s7 ; sa: p1 = ne s6, 100 }
        { sa: @p1 br round }
        halt
