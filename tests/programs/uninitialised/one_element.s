# One element is enough: a store under a mask, loaded back, leaves the others unwritten.
# expect: uninitialised pc here

        { va: v1 = vlane ; sa: s4 = mov 1 }
        { va: m1 = vne.s32 v1, s0 }
        { st: vst [0], v1, mask=m1 }
        v2 = vld [0], mask=m1
        v3 = vadd.s32 v2, v2                    # what a mask leaves out is zero, and written
        v4 = vld [0]
here:   { va: v5 = vadd.s32 v4, v4 }
        halt
