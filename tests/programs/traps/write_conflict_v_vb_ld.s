# A vector from the second slot of the vector ALU and from a load:
# { vb: v9 = vlane ; ld: v9 = vld [0] }.
# expect: trap write_conflict ld 777 pc here
# expect: v9 = 5

        s4 = mov 5
        v9 = vmov s4
here:   .bundle 0, 0, 0, 0, 0, 0, 0x902c, 0, 0x38009001, 0x10000, 0, 0, 0, 0, 0, 0
        halt
