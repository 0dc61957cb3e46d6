# Arithmetic on a vector that was never written.
# expect: uninitialised pc here

        { va: v1 = vlane ; sa: s4 = mov 1 }
here:   { va: v2 = vadd.s32 v1, v9 }
        halt
