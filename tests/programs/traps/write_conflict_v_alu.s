# A vector from both slots of the vector ALU: { va: v9 = vlane ; vb: @!p0 v9 = vlane }.
# expect: trap write_conflict vb 777 pc here
# expect: v9 = 5

        s4 = mov 5
        v9 = vmov s4
here:   .bundle 0, 0, 0, 0, 0x902c, 0, 0x982c, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
