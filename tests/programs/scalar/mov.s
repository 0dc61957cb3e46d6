# mov: constants of 32 bits, reals as fp32 bits, registers, s0, predicates.
# expect: s4 = 0x12345678
# expect: s5 = 0xffffffff
# expect: s6 = 0x80000000
# expect: s7 = 0x3fc00000
# expect: s8 = 0x12345678
# expect: s9 = 0x80000000
# expect: s10 = 0
# expect: s11 = 11
# expect: s12 = 0xffffffff
# expect: s13 = 0x3fc00000
# expect: s0 = 0

        { sa: s4 = mov 0x12345678 ; sb: s5 = mov -1 }
        { sa: s6 = mov 0x80000000 ; sb: s7 = mov 1.5 }
        { sa: s8 = mov s4 ; sb: s9 = mov s6 }
        { sa: s0 = mov 99 ; sb: s0 = mov s4 }
        { sa: s10 = mov s0 ; sb: s11 = mov 11 }
        { sa: @p1 s11 = mov 99 ; sb: @!p1 s12 = mov s5 }
        { sa: @p0 s13 = mov s7 ; sb: @!p0 s4 = mov s5 }
        halt
