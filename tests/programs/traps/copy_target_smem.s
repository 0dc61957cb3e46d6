# A destination that its third dimension takes out of SMEM; the source is at fault too, and comes first only if it is.
# expect: trap address_range dma 4 pc here
# expect: s5 = 0
# expect: f1 = 0

        .include "../common.inc"
        describe fetch_descriptor, HBM_TO_SMEM | FLAG, 1, 65536, 800, 4, n3=3, s3=4, d3=4 * SMEM_WORDS
        { dma: @p1 copy [fetch_descriptor], s0, s0 }      # not done
here:   { dma: copy [fetch_descriptor], s0, s0 ; sa: s5 = mov 1 }
        halt
