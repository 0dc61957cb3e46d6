# A scalar from the first scalar slot and from the second slot of the vector ALU:
# { sa: s5 = mov 1 ; vb: s5 = mpop m0 }.
# expect: trap write_conflict vb 5 pc here
# expect: s5 = 3

        s5 = mov 3
here:   .bundle 0x40005010, 0x1, 0, 0, 0, 0, 0x5031, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
