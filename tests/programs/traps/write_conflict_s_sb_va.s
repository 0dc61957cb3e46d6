# A scalar from the second scalar slot and from the first slot of the vector ALU:
# { sb: s5 = mov 1 ; va: s5 = mpop m0 }.
# expect: trap write_conflict va 5 pc here
# expect: s5 = 3

        s5 = mov 3
here:   .bundle 0, 0, 0x40005010, 0x1, 0x5031, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
