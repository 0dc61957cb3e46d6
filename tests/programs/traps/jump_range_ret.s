# A return to a number far outside.
# expect: trap jump_range sa 0x80000000 pc here
# expect: s4 = 0

        s1 = mov 0x80000000
here:   { sa: ret s1 ; sb: s4 = mov 1 }
        halt
