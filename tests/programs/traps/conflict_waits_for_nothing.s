# A bundle with a conflict traps at once, whatever it would have to wait for:
# { sa: s5 = add s4, 1 ; sb: s5 = mov 1 } after a load of s4, and of a vector after exp2.
# expect: trap write_conflict sb 5 pc here
# expect: s4 = 0
# expect: s5 = 0

        { va: v1 = vmov s0 }
        { sb: s4 = sld [0] ; xu: v2 = exp2 v1 }
here:   .bundle 0x40085001, 0x1, 0x40005010, 0x1, 0x3030, 0x2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
