# A descriptor whose address is not a multiple of 16.
# expect: trap bad_descriptor dma 16 pc here

        s4 = mov 24
here:   { dma: copy [s4], s0, s0 }
        halt
