# A weight column that is not below L.
# expect: trap address_range mx 0xfffffff8 pc here

        { sa: s4 = mov -16 ; va: v1 = vmov s0 }
here:   { mx: mxpusht [s4 + 8], v1.lo }
        halt
