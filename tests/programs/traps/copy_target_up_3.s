# A destination that ends one word beyond SMEM by the third dimension alone.
# expect: trap address_range dma 4 pc here
# expect: s5 = 0
# expect: f1 = 0

        .include "../common.inc"
        .equ    END, 4 * SMEM_WORDS
        describe fetch_descriptor, SMEM_TO_SMEM | FLAG, 1, 1024, END - 8, 4, n3=2, d3=8, s3=4
        { dma: @p1 copy [fetch_descriptor], s0, s0 }      # not done
here:   { dma: copy [fetch_descriptor], s0, s0 ; sa: s5 = mov 1 }
        halt
