# An accumulator index above 63, by its scalar.
# expect: trap address_range mx 64 pc here
# expect: v2 = 2

        { sa: s4 = mov 60 ; sb: s5 = mov 2 }
        v2 = vmov s5
        { mx: @p1 v2 = mxread a[s4 + 4] }       # not done
here:   { mx: v2 = mxread a[s4 + 4] }
        halt
