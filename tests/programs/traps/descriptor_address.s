# A descriptor outside SMEM.
# expect: trap address_range dma SMEM_WORDS pc here
# expect: s5 = 0

        s4 = mov SMEM_WORDS
        { dma: @p1 copy [s4], s0, s0 }          # not done
here:   { dma: copy [s4], s0, s0 ; sa: s5 = mov 1 }
        halt
