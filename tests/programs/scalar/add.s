# add: registers and constants in both slots, signs, wrap-around, s0, predicates.
# expect: s4 = 0x00000000
# expect: s5 = 0x00000000
# expect: s6 = 0x00000000
# expect: s7 = 0x00000000
# expect: s8 = 0x00000000
# expect: s9 = 0x00000000
# expect: s10 = 0xffffffff
# expect: s11 = 0xffffffff
# expect: s12 = 0xffffffff
# expect: s13 = 0xffffffff
# expect: s14 = 0x2468acf0
# expect: s15 = 0x2468acf0
# expect: s16 = 0xdeadbf0e
# expect: s17 = 0xdeadbf0e
# expect: s18 = 0x00000011
# expect: s19 = 0x00000011
# expect: s20 = 0x12345668
# expect: s21 = 0x12345668
# expect: s1 = 0x2468acf0
# expect: s0 = 0
# expect: s22 = 22
# expect: s23 = 0xfffffff0
# expect: s24 = 0

        { sa: s1 = mov 0x00000000 ; sb: s2 = mov 0x00000000 }
        { sa: s4 = add s1, s2 ; sb: s5 = add s2, 0x00000000 }
        { sa: s1 = mov 0x00000001 ; sb: s2 = mov 0xffffffff }
        { sa: s6 = add s1, s2 ; sb: s7 = add s2, 0x00000001 }
        { sa: s1 = mov 0xffffffff ; sb: s2 = mov 0x00000001 }
        { sa: s8 = add s1, s2 ; sb: s9 = add s2, 0xffffffff }
        { sa: s1 = mov 0x80000000 ; sb: s2 = mov 0x7fffffff }
        { sa: s10 = add s1, s2 ; sb: s11 = add s2, 0x80000000 }
        { sa: s1 = mov 0x7fffffff ; sb: s2 = mov 0x80000000 }
        { sa: s12 = add s1, s2 ; sb: s13 = add s2, 0x7fffffff }
        { sa: s1 = mov 0x12345678 ; sb: s2 = mov 0x12345678 }
        { sa: s14 = add s1, s2 ; sb: s15 = add s2, 0x12345678 }
        { sa: s1 = mov 0xdeadbeef ; sb: s2 = mov 0x0000001f }
        { sa: s16 = add s1, s2 ; sb: s17 = add s2, 0xdeadbeef }
        { sa: s1 = mov 0x00000021 ; sb: s2 = mov 0xfffffff0 }
        { sa: s18 = add s1, s2 ; sb: s19 = add s2, 0x00000021 }
        { sa: s1 = mov 0x12345678 ; sb: s2 = mov -16 }
        { sa: s20 = add s1, -16 ; sb: s21 = add s1, s2 }
        s1 = add s1, s1                 # its own operand
        s0 = add s2, 1                  # discarded
        { sa: s22 = mov 22 ; sb: s23 = mov 23 }
        { sa: @p1 s22 = add s2, s2 ; sb: @!p1 s23 = add s2, s0 }
        s24 = mov s0
        halt
