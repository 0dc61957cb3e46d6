# A matrix index and a descriptor out of range: the matrix unit comes first.
# expect: trap address_range mx 64 pc here

        s4 = mov SMEM_WORDS
here:   { mx: v1 = mxread a[s5 + 64] ; dma: copy [s4], s0, s0 }
        halt
