# An SMEM load of a negative address; the sum of scalar and offset wraps.
# expect: trap address_range sb 0xfffffffe pc here

        s6 = mov 3
        { sb: s7 = sld [s6 - 3] }
        { sb: @p1 s7 = sld [s6 - 4] }           # not done
here:   { sb: s4 = sld [s6 - 5] }
        halt
