# A destination stride of dimension 3 that is not a multiple of 4, even with a count of 0.
# expect: trap bad_descriptor dma 15 pc here
# expect: s5 = 0
# expect: f1 = 0

        .include "../common.inc"
        describe fetch_descriptor, HBM_TO_SMEM | FLAG, 1, 65536, 800, 4
        put     fetch_descriptor + 15, -1
        put     fetch_descriptor + 13, 0
        { dma: @p1 copy [fetch_descriptor], s0, s0 }      # not done
here:   { dma: copy [fetch_descriptor], s0, s0 ; sa: s5 = mov 1 }
        halt
