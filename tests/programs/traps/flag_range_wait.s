# `wait` of a flag above 31, named by a register: not done where predicated off, and no wait for it.
# expect: trap address_range dma 32 pc here
# expect: s4 = 0
# expect: f31 = 2

        s5 = mov 31
        { dma: fset f31, 2 }
        { dma: @p1 wait f[s5 + 1], 1 }
here:   { dma: wait f[s5 + 1], 1 ; sa: s4 = mov 1 }
        halt
