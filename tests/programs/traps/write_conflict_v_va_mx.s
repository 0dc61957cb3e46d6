# A vector from the first slot of the vector ALU and from the matrix unit:
# { va: v9 = vlane ; mx: v9 = mxread a0 }.
# expect: trap write_conflict mx 777 pc here
# expect: v9 = 5

        s4 = mov 5
        v9 = vmov s4
here:   .bundle 0, 0, 0, 0, 0x902c, 0, 0, 0, 0, 0, 0, 0, 0x5, 0x240, 0, 0
        halt
