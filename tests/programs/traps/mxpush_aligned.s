# A weight row that is not a multiple of 8.
# expect: trap address_range mx 4 pc here

        { sa: s4 = mov -4 ; va: v1 = vmov s0 }
here:   { mx: mxpush [s4 + 8], v1.b3 }
        halt
