# ne: registers and constants in both slots, equal and unlike signs, p0, predicates.
# expect: s4 = 0
# expect: s5 = 0
# expect: s6 = 1
# expect: s7 = 1
# expect: s8 = 1
# expect: s9 = 1
# expect: s10 = 1
# expect: s11 = 1
# expect: s12 = 1
# expect: s13 = 1
# expect: s14 = 0
# expect: s15 = 0
# expect: s16 = 1
# expect: s17 = 1
# expect: s18 = 1
# expect: s19 = 1
# expect: s20 = 0
# expect: s21 = 0
# expect: p1 = 1
# expect: p2 = 0
# expect: p0 = 1
# expect: p3 = 1
# expect: p4 = 1
# expect: p5 = 1

        { sa: s1 = mov 1 ; sb: p7 = eq s0, 1 }
        { sa: s2 = mov 0x00000000 ; sb: s3 = mov 0x00000000 }
        { sa: p1 = ne s2, s3 ; sb: p2 = ne s3, 0x00000000 }
        { sa: s4 = sel p1, s1, 0 ; sb: s5 = sel p2, s1, 0 }
        { sa: s2 = mov 0x00000001 ; sb: s3 = mov 0xffffffff }
        { sa: p3 = ne s2, s3 ; sb: p4 = ne s3, 0x00000001 }
        { sa: s6 = sel p3, s1, 0 ; sb: s7 = sel p4, s1, 0 }
        { sa: s2 = mov 0xffffffff ; sb: s3 = mov 0x00000001 }
        { sa: p5 = ne s2, s3 ; sb: p6 = ne s3, 0xffffffff }
        { sa: s8 = sel p5, s1, 0 ; sb: s9 = sel p6, s1, 0 }
        { sa: s2 = mov 0x80000000 ; sb: s3 = mov 0x7fffffff }
        { sa: p1 = ne s2, s3 ; sb: p2 = ne s3, 0x80000000 }
        { sa: s10 = sel p1, s1, 0 ; sb: s11 = sel p2, s1, 0 }
        { sa: s2 = mov 0x7fffffff ; sb: s3 = mov 0x80000000 }
        { sa: p3 = ne s2, s3 ; sb: p4 = ne s3, 0x7fffffff }
        { sa: s12 = sel p3, s1, 0 ; sb: s13 = sel p4, s1, 0 }
        { sa: s2 = mov 0x12345678 ; sb: s3 = mov 0x12345678 }
        { sa: p5 = ne s2, s3 ; sb: p6 = ne s3, 0x12345678 }
        { sa: s14 = sel p5, s1, 0 ; sb: s15 = sel p6, s1, 0 }
        { sa: s2 = mov 0xdeadbeef ; sb: s3 = mov 0x0000001f }
        { sa: p1 = ne s2, s3 ; sb: p2 = ne s3, 0xdeadbeef }
        { sa: s16 = sel p1, s1, 0 ; sb: s17 = sel p2, s1, 0 }
        { sa: s2 = mov 0x00000021 ; sb: s3 = mov 0xfffffff0 }
        { sa: p3 = ne s2, s3 ; sb: p4 = ne s3, 0x00000021 }
        { sa: s18 = sel p3, s1, 0 ; sb: s19 = sel p4, s1, 0 }
        { sa: s2 = mov 0x00000005 ; sb: s3 = mov 0x00000005 }
        { sa: p5 = ne s2, s3 ; sb: p6 = ne s3, 0x00000005 }
        { sa: s20 = sel p5, s1, 0 ; sb: s21 = sel p6, s1, 0 }
        { sa: s2 = mov -15 ; sb: s3 = mov -16 }
        { sa: p1 = ne s2, -16 ; sb: p2 = ne s2, s2 }
        { sa: p0 = ne s2, s3 ; sb: p0 = ne s3, s2 }    # discarded
        { sa: @p7 p3 = ne s2, s0 ; sb: @!p7 p4 = ne s2, s0 }
        p5 = por p0, p7
        halt
