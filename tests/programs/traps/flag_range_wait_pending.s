# `wait` of a flag above 31 traps at once, also while a copy is on its way.
# expect: trap address_range dma 32 pc here
# expect: s4 = 0
# expect: f1 = 1

        .include "../common.inc"
        .data
        .align  4
source: .u32    42
        .text
        describe fetch_descriptor, HBM_TO_SMEM | FLAG, 1, lo(source), 800, 4
        s5 = mov 31
        { dma: copy [fetch_descriptor], s0, s0 }
here:   { dma: wait f[s5 + 1], 1 ; sa: s4 = mov 1 }
        halt
