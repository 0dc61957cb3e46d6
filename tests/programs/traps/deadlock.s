# A wait that nothing can satisfy.
# expect: trap deadlock dma 3 pc here
# expect: s4 = 0
# expect: f3 = 6

        { dma: fset f3, 6 }
        { dma: @p1 wait f3, 7 }
here:   { dma: wait f3, 7 ; sa: s4 = mov 1 }
        halt
