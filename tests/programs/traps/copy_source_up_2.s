# A source that ends one word beyond SMEM by the second dimension alone.
# expect: trap address_range dma 2 pc here
# expect: s5 = 0
# expect: f1 = 0

        .include "../common.inc"
        .equ    END, 4 * SMEM_WORDS
        describe fetch_descriptor, SMEM_TO_SMEM | FLAG, 1, END - 8, 1024, 4, n2=2, s2=8, d2=4
        { dma: @p1 copy [fetch_descriptor], s0, s0 }      # not done
here:   { dma: copy [fetch_descriptor], s0, s0 ; sa: s5 = mov 1 }
        halt
