# v0 is a register as others are: { va: v0 = vlane ; vb: @!p0 v0 = vlane }.
# expect: trap write_conflict vb 768 pc here
# expect: v0 = 5

        s4 = mov 5
        v0 = vmov s4
here:   .bundle 0, 0, 0, 0, 0x2c, 0, 0x82c, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
