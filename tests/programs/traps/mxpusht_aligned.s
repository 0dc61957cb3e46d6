# A weight column that is not a multiple of 8.
# expect: trap address_range mx 1 pc here

        { sa: s4 = mov 1 ; va: v1 = vmov s0 }
here:   { mx: mxpusht [s4], v1.hi }
        halt
