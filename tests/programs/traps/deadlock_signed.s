# The comparison is signed: a flag of -2 is below 5.
# expect: trap deadlock dma 31 pc here

        { dma: fset f31, -2 }
here:   { dma: wait f31, 5 }
        halt
