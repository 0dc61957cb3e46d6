# Source and destination outside: the source is reported.
# expect: trap address_range dma 2 pc here
# expect: s5 = 0
# expect: f1 = 0

        .include "../common.inc"
        describe fetch_descriptor, SMEM_TO_SMEM | FLAG, 1, 4 * SMEM_WORDS, 4 * SMEM_WORDS, 4
        { dma: @p1 copy [fetch_descriptor], s0, s0 }      # not done
here:   { dma: copy [fetch_descriptor], s0, s0 ; sa: s5 = mov 1 }
        halt
