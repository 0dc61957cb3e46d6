# or: registers and constants in both slots, signs, wrap-around, s0, predicates.
# expect: s4 = 0x00000000
# expect: s5 = 0x00000000
# expect: s6 = 0xffffffff
# expect: s7 = 0xffffffff
# expect: s8 = 0xffffffff
# expect: s9 = 0xffffffff
# expect: s10 = 0xffffffff
# expect: s11 = 0xffffffff
# expect: s12 = 0xffffffff
# expect: s13 = 0xffffffff
# expect: s14 = 0x12345678
# expect: s15 = 0x12345678
# expect: s16 = 0xdeadbeff
# expect: s17 = 0xdeadbeff
# expect: s18 = 0xfffffff1
# expect: s19 = 0xfffffff1
# expect: s20 = 0xfffffff8
# expect: s21 = 0xfffffff8
# expect: s1 = 0x12345678
# expect: s0 = 0
# expect: s22 = 22
# expect: s23 = 0xfffffff0
# expect: s24 = 0

        { sa: s1 = mov 0x00000000 ; sb: s2 = mov 0x00000000 }
        { sa: s4 = or s1, s2 ; sb: s5 = or s2, 0x00000000 }
        { sa: s1 = mov 0x00000001 ; sb: s2 = mov 0xffffffff }
        { sa: s6 = or s1, s2 ; sb: s7 = or s2, 0x00000001 }
        { sa: s1 = mov 0xffffffff ; sb: s2 = mov 0x00000001 }
        { sa: s8 = or s1, s2 ; sb: s9 = or s2, 0xffffffff }
        { sa: s1 = mov 0x80000000 ; sb: s2 = mov 0x7fffffff }
        { sa: s10 = or s1, s2 ; sb: s11 = or s2, 0x80000000 }
        { sa: s1 = mov 0x7fffffff ; sb: s2 = mov 0x80000000 }
        { sa: s12 = or s1, s2 ; sb: s13 = or s2, 0x7fffffff }
        { sa: s1 = mov 0x12345678 ; sb: s2 = mov 0x12345678 }
        { sa: s14 = or s1, s2 ; sb: s15 = or s2, 0x12345678 }
        { sa: s1 = mov 0xdeadbeef ; sb: s2 = mov 0x0000001f }
        { sa: s16 = or s1, s2 ; sb: s17 = or s2, 0xdeadbeef }
        { sa: s1 = mov 0x00000021 ; sb: s2 = mov 0xfffffff0 }
        { sa: s18 = or s1, s2 ; sb: s19 = or s2, 0x00000021 }
        { sa: s1 = mov 0x12345678 ; sb: s2 = mov -16 }
        { sa: s20 = or s1, -16 ; sb: s21 = or s1, s2 }
        s1 = or s1, s1                 # its own operand
        s0 = or s2, 1                  # discarded
        { sa: s22 = mov 22 ; sb: s23 = mov 23 }
        { sa: @p1 s22 = or s2, s2 ; sb: @!p1 s23 = or s2, s0 }
        s24 = mov s0
        halt
