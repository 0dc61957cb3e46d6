# `fadd` of a flag above 31, named by a register: not done where predicated off, and no wait for it.
# expect: trap address_range dma 4294967295 pc here
# expect: s4 = 0
# expect: f31 = 2

        s5 = mov -2
        { dma: fset f31, 2 }
        { dma: @p1 fadd f[s5 + 1], 1 }
here:   { dma: fadd f[s5 + 1], 1 ; sa: s4 = mov 1 }
        halt
