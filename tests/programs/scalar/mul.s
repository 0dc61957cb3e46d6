# mul: registers and constants in both slots, signs, wrap-around, s0, predicates.
# expect: s4 = 0x00000000
# expect: s5 = 0x00000000
# expect: s6 = 0xffffffff
# expect: s7 = 0xffffffff
# expect: s8 = 0xffffffff
# expect: s9 = 0xffffffff
# expect: s10 = 0x80000000
# expect: s11 = 0x80000000
# expect: s12 = 0x80000000
# expect: s13 = 0x80000000
# expect: s14 = 0x1df4d840
# expect: s15 = 0x1df4d840
# expect: s16 = 0xf70a1ef1
# expect: s17 = 0xf70a1ef1
# expect: s18 = 0xfffffdf0
# expect: s19 = 0xfffffdf0
# expect: s20 = 0xdcba9880
# expect: s21 = 0xdcba9880
# expect: s1 = 0x1df4d840
# expect: s0 = 0
# expect: s22 = 22
# expect: s23 = 0x00000000
# expect: s24 = 0

        { sa: s1 = mov 0x00000000 ; sb: s2 = mov 0x00000000 }
        { sa: s4 = mul s1, s2 ; sb: s5 = mul s2, 0x00000000 }
        { sa: s1 = mov 0x00000001 ; sb: s2 = mov 0xffffffff }
        { sa: s6 = mul s1, s2 ; sb: s7 = mul s2, 0x00000001 }
        { sa: s1 = mov 0xffffffff ; sb: s2 = mov 0x00000001 }
        { sa: s8 = mul s1, s2 ; sb: s9 = mul s2, 0xffffffff }
        { sa: s1 = mov 0x80000000 ; sb: s2 = mov 0x7fffffff }
        { sa: s10 = mul s1, s2 ; sb: s11 = mul s2, 0x80000000 }
        { sa: s1 = mov 0x7fffffff ; sb: s2 = mov 0x80000000 }
        { sa: s12 = mul s1, s2 ; sb: s13 = mul s2, 0x7fffffff }
        { sa: s1 = mov 0x12345678 ; sb: s2 = mov 0x12345678 }
        { sa: s14 = mul s1, s2 ; sb: s15 = mul s2, 0x12345678 }
        { sa: s1 = mov 0xdeadbeef ; sb: s2 = mov 0x0000001f }
        { sa: s16 = mul s1, s2 ; sb: s17 = mul s2, 0xdeadbeef }
        { sa: s1 = mov 0x00000021 ; sb: s2 = mov 0xfffffff0 }
        { sa: s18 = mul s1, s2 ; sb: s19 = mul s2, 0x00000021 }
        { sa: s1 = mov 0x12345678 ; sb: s2 = mov -16 }
        { sa: s20 = mul s1, -16 ; sb: s21 = mul s1, s2 }
        s1 = mul s1, s1                 # its own operand
        s0 = mul s2, 1                  # discarded
        { sa: s22 = mov 22 ; sb: s23 = mov 23 }
        { sa: @p1 s22 = mul s2, s2 ; sb: @!p1 s23 = mul s2, s0 }
        s24 = mov s0
        halt
