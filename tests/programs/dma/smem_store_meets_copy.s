# A copy fills all lanes but the first of many rows of SMEM, while the first lane of one of them is
# stored to in every cycle: the store of the cycle in which the copy comes by keeps the copy's words.
# expect: smem[1024 + LANES * 20] = 416
# expect: smem[1024 + LANES * 20 + 1] = 5
# expect: smem[1024 + LANES * 21 - 1] = 5
# expect: smem[1024 + LANES * 19] = 0
# expect: smem[1024 + LANES * 19 + 1] = 5
# expect: f1 = 1

        .include "common.inc"
        .data
        .align  4096
source: .rept   LANES * 48
        .u32    5
        .endr
        .text
        describe d0, HBM_TO_SMEM | FLAG, 1, lo(source + 4), 4096 + 4, 4 * (LANES - 1), n1=48, s1=ROW_BYTES, d1=ROW_BYTES
        { s4 = mov 1 ; sb: s6 = mov 1024 + LANES * 20 }
        { s5 = mov 0 ; sb: p1 = eq s0, s0 }
        { dma: copy [d0], s0, s0 }
again:  .rept   30
        { sb: sst [s6], s4 ; sa: s4 = add s4, 1 }
        .endr
        { sb: p1 = lt.u32 s5, 12 ; sa: s5 = add s5, 1 }
        { sb: sst [s6], s4 ; sa: @p1 br again }
        { sa: s4 = add s4, 1 }
        .rept   12
        { sb: sst [s6], s4 ; sa: s4 = add s4, 1 }
        .endr
        { dma: wait f1, 1 }
        s7 = mov 416
        sst     [s6], s7
        halt
