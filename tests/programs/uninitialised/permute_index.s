# An index that was never written.
# expect: uninitialised pc here

        { va: v1 = vlane ; sa: s4 = mov 1 }
here:   { xu: v2 = lperm v1, v9 }
        halt
