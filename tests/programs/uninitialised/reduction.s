# A reduction of one.
# expect: uninitialised pc here

        { va: v1 = vlane ; sa: s4 = mov 1 }
here:   { xu: v2 = lmax.s32 v9 }
        halt
