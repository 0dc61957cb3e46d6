# Of several bad words the first is reported.
# expect: trap bad_descriptor dma 4 pc here
# expect: s5 = 0
# expect: f1 = 0

        .include "../common.inc"
        describe fetch_descriptor, HBM_TO_SMEM | FLAG, 1, 65536, 800, 4
        put     fetch_descriptor + 4, 3
        put     fetch_descriptor + 9, 1
        put     fetch_descriptor + 6, -4
        { dma: @p1 copy [fetch_descriptor], s0, s0 }      # not done
here:   { dma: copy [fetch_descriptor], s0, s0 ; sa: s5 = mov 1 }
        halt
