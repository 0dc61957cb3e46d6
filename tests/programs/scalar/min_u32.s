# min.u32: registers and constants in both slots, signs, wrap-around, s0, predicates.
# expect: s4 = 0x00000000
# expect: s5 = 0x00000000
# expect: s6 = 0x00000001
# expect: s7 = 0x00000001
# expect: s8 = 0x00000001
# expect: s9 = 0x00000001
# expect: s10 = 0x7fffffff
# expect: s11 = 0x7fffffff
# expect: s12 = 0x7fffffff
# expect: s13 = 0x7fffffff
# expect: s14 = 0x12345678
# expect: s15 = 0x12345678
# expect: s16 = 0x0000001f
# expect: s17 = 0x0000001f
# expect: s18 = 0x00000021
# expect: s19 = 0x00000021
# expect: s20 = 0x12345678
# expect: s21 = 0x12345678
# expect: s1 = 0x12345678
# expect: s0 = 0
# expect: s22 = 22
# expect: s23 = 0x00000000
# expect: s24 = 0

        { sa: s1 = mov 0x00000000 ; sb: s2 = mov 0x00000000 }
        { sa: s4 = min.u32 s1, s2 ; sb: s5 = min.u32 s2, 0x00000000 }
        { sa: s1 = mov 0x00000001 ; sb: s2 = mov 0xffffffff }
        { sa: s6 = min.u32 s1, s2 ; sb: s7 = min.u32 s2, 0x00000001 }
        { sa: s1 = mov 0xffffffff ; sb: s2 = mov 0x00000001 }
        { sa: s8 = min.u32 s1, s2 ; sb: s9 = min.u32 s2, 0xffffffff }
        { sa: s1 = mov 0x80000000 ; sb: s2 = mov 0x7fffffff }
        { sa: s10 = min.u32 s1, s2 ; sb: s11 = min.u32 s2, 0x80000000 }
        { sa: s1 = mov 0x7fffffff ; sb: s2 = mov 0x80000000 }
        { sa: s12 = min.u32 s1, s2 ; sb: s13 = min.u32 s2, 0x7fffffff }
        { sa: s1 = mov 0x12345678 ; sb: s2 = mov 0x12345678 }
        { sa: s14 = min.u32 s1, s2 ; sb: s15 = min.u32 s2, 0x12345678 }
        { sa: s1 = mov 0xdeadbeef ; sb: s2 = mov 0x0000001f }
        { sa: s16 = min.u32 s1, s2 ; sb: s17 = min.u32 s2, 0xdeadbeef }
        { sa: s1 = mov 0x00000021 ; sb: s2 = mov 0xfffffff0 }
        { sa: s18 = min.u32 s1, s2 ; sb: s19 = min.u32 s2, 0x00000021 }
        { sa: s1 = mov 0x12345678 ; sb: s2 = mov -16 }
        { sa: s20 = min.u32 s1, -16 ; sb: s21 = min.u32 s1, s2 }
        s1 = min.u32 s1, s1                 # its own operand
        s0 = min.u32 s2, 1                  # discarded
        { sa: s22 = mov 22 ; sb: s23 = mov 23 }
        { sa: @p1 s22 = min.u32 s2, s2 ; sb: @!p1 s23 = min.u32 s2, s0 }
        s24 = mov s0
        halt
