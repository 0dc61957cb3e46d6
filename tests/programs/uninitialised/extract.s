# An element that was never written; its neighbours do not matter.
# expect: uninitialised pc here

        { va: v1 = vlane ; sa: s4 = mov 1 }
        { va: m1 = vne.s32 v1, s0 }
        { va: v2 = vsel m1, v1, v9 }
        { xu: s5 = extract v2, 1 }
here:   { xu: s5 = extract v2, 0 }
        halt
