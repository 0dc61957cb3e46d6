# A call outside the text does not write its return address: { sa: s1 = call 2^32 - 1 }.
# expect: trap jump_range sa 4294967295 pc here
# expect: s1 = 7

        s1 = mov 7
here:   .bundle 0x1041, 0xffffffff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
