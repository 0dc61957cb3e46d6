# The two scalars of a copy are word offsets, unsigned, added to source and destination; the
# descriptor is captured at issue, and may be changed by the same bundle.
# expect: smem[200] = 100, 0, 103, 0, 0, 109
# expect: smem[300] = 1
# expect: hbm[target] = 0, 105, 0

        .include "common.inc"
        .data
        .align  4
source: numbers 10, 100
        .bss
        .align  4
target: .space  12
        .text

        describe d0, HBM_TO_SMEM | FLAG, 1, lo(source), 800, 4
        describe d1, FLAG, 1, lo(source), lo(target), 4
        { sa: s4 = mov 3 ; sb: s5 = mov 2 }
        { sa: s6 = mov 9 ; sb: s7 = mov 5 }
        { sa: s8 = mov 1 ; sb: s9 = mov 1200 }
        { dma: copy [d0], s0, s0 }
        { dma: copy [d0], s4, s5 ; sa: s4 = mov 0 ; sb: s5 = mov 0 }
        { dma: copy [d0], s6, s7 ; sb: sst [d0 + 4], s9 }   # reads the old word
        { dma: wait f1, 3 }
        { sb: s10 = sld [d0 + 4] ; sa: s11 = mov d1 }
        { dma: copy [s11], s7, s8 }
        { dma: wait f1, 4 ; sb: sst [300], s8 }
        { sa: s12 = mov d1 - 16 }
        { dma: copy [s12 + 16], s7, s8 }
        { dma: wait f1, 5 }
        halt
