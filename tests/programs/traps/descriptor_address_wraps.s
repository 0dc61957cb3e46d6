# A descriptor whose address is negative.
# expect: trap address_range dma 0xfffffff0 pc here

        s4 = mov -32
here:   { dma: copy [s4 + 16], s0, s0 }
        halt
