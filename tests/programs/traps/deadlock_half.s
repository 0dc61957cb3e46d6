# A flag that is 2^31 away from the value of a wait does not satisfy it: as a signed number the
# difference is the least one, whichever of the two is larger.
# expect: trap deadlock dma 1 pc here

        s5 = mov 0x80000000
here:   { dma: wait f1, s5 }
        halt
