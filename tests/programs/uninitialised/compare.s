# A comparison of a vector that was never written.
# expect: uninitialised pc here

        { va: v1 = vlane ; sa: s4 = mov 1 }
here:   { va: m1 = veq.f32 v9, s0 }
        halt
