# sub: registers and constants in both slots, signs, wrap-around, s0, predicates.
# expect: s4 = 0x00000000
# expect: s5 = 0x00000000
# expect: s6 = 0x00000002
# expect: s7 = 0xfffffffe
# expect: s8 = 0xfffffffe
# expect: s9 = 0x00000002
# expect: s10 = 0x00000001
# expect: s11 = 0xffffffff
# expect: s12 = 0xffffffff
# expect: s13 = 0x00000001
# expect: s14 = 0x00000000
# expect: s15 = 0x00000000
# expect: s16 = 0xdeadbed0
# expect: s17 = 0x21524130
# expect: s18 = 0x00000031
# expect: s19 = 0xffffffcf
# expect: s20 = 0x12345688
# expect: s21 = 0x12345688
# expect: s1 = 0x00000000
# expect: s0 = 0
# expect: s22 = 22
# expect: s23 = 0xfffffff0
# expect: s24 = 0

        { sa: s1 = mov 0x00000000 ; sb: s2 = mov 0x00000000 }
        { sa: s4 = sub s1, s2 ; sb: s5 = sub s2, 0x00000000 }
        { sa: s1 = mov 0x00000001 ; sb: s2 = mov 0xffffffff }
        { sa: s6 = sub s1, s2 ; sb: s7 = sub s2, 0x00000001 }
        { sa: s1 = mov 0xffffffff ; sb: s2 = mov 0x00000001 }
        { sa: s8 = sub s1, s2 ; sb: s9 = sub s2, 0xffffffff }
        { sa: s1 = mov 0x80000000 ; sb: s2 = mov 0x7fffffff }
        { sa: s10 = sub s1, s2 ; sb: s11 = sub s2, 0x80000000 }
        { sa: s1 = mov 0x7fffffff ; sb: s2 = mov 0x80000000 }
        { sa: s12 = sub s1, s2 ; sb: s13 = sub s2, 0x7fffffff }
        { sa: s1 = mov 0x12345678 ; sb: s2 = mov 0x12345678 }
        { sa: s14 = sub s1, s2 ; sb: s15 = sub s2, 0x12345678 }
        { sa: s1 = mov 0xdeadbeef ; sb: s2 = mov 0x0000001f }
        { sa: s16 = sub s1, s2 ; sb: s17 = sub s2, 0xdeadbeef }
        { sa: s1 = mov 0x00000021 ; sb: s2 = mov 0xfffffff0 }
        { sa: s18 = sub s1, s2 ; sb: s19 = sub s2, 0x00000021 }
        { sa: s1 = mov 0x12345678 ; sb: s2 = mov -16 }
        { sa: s20 = sub s1, -16 ; sb: s21 = sub s1, s2 }
        s1 = sub s1, s1                 # its own operand
        s0 = sub s2, 1                  # discarded
        { sa: s22 = mov 22 ; sb: s23 = mov 23 }
        { sa: @p1 s22 = sub s2, s2 ; sb: @!p1 s23 = sub s2, s0 }
        s24 = mov s0
        halt
