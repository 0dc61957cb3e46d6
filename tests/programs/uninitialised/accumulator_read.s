# Reading one is a move; the result is reported when it is used.
# expect: uninitialised pc here

        { va: v1 = vlane ; sa: s4 = mov 1 }
        { mx: v2 = mxread a7 }
        v3 = vmov v2
here:   { va: v4 = vsub.f32 v3, v1 }
        halt
