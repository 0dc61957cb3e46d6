# Version 1: flag 32 there.
# expect: trap bad_descriptor dma 0 pc here
# expect: s5 = 0
# expect: f1 = 0
# expect: f2 = 0

        .include "../common.inc"
        describe fetch_descriptor, HBM_TO_VMEM | (32 * FLAG) | 1, 1 | (2 << 16), 65536, 800, 4
        { dma: @p1 copy [fetch_descriptor], s0, s0 }      # not done
here:   { dma: copy [fetch_descriptor], s0, s0 ; sa: s5 = mov 1 }
        halt
