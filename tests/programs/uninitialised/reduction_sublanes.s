# A reduction over sublanes of one.
# expect: uninitialised pc here

        { va: v1 = vlane ; sa: s4 = mov 1 }
here:   { xu: v2 = ssum.f32 v9 }
        halt
