# Version 1: an amount there of zero; the rest of the word does not count.
# expect: trap bad_descriptor dma 1 pc here
# expect: s5 = 0
# expect: f1 = 0
# expect: f2 = 0

        .include "../common.inc"
        describe fetch_descriptor, HBM_TO_VMEM | FLAG | 1, (2 << 16) | (1 << 24), 65536, 800, 4
        { dma: @p1 copy [fetch_descriptor], s0, s0 }      # not done
here:   { dma: copy [fetch_descriptor], s0, s0 ; sa: s5 = mov 1 }
        halt
