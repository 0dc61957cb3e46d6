# A scalar from the first scalar slot and from the vector ALU: { sa: s7 = mov 1 ; va: @!p0 s7 = mpop m0 }.
# expect: trap write_conflict va 7 pc here
# expect: s7 = 3

        s7 = mov 3
here:   .bundle 0x40007010, 0x1, 0, 0, 0x7831, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
