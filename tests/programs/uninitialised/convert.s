# A conversion of one.
# expect: uninitialised pc here

        { va: v1 = vlane ; sa: s4 = mov 1 }
here:   { vb: v2 = vfloor.f32 v9 }
        halt
