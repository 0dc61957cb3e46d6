# sel: both values of the predicate, negated or not, p0, registers and constants.
# expect: s4 = 10
# expect: s5 = 20
# expect: s6 = 0xfffffff9
# expect: s7 = 10
# expect: s8 = 10
# expect: s9 = 0x89abcdef
# expect: s10 = 10
# expect: s11 = 20
# expect: s12 = 12
# expect: s13 = 20
# expect: s14 = 0
# expect: s1 = 20

        { sa: s1 = mov 10 ; sb: s2 = mov 20 }
        { sa: p1 = eq s1, 10 ; sb: p2 = eq s1, 11 }
        { sa: s4 = sel p1, s1, s2 ; sb: s5 = sel p2, s1, s2 }
        { sa: s6 = sel !p1, s1, -7 ; sb: s7 = sel !p2, s1, -7 }
        { sa: s8 = sel p0, s1, 0x89abcdef ; sb: s9 = sel !p0, s1, 0x89abcdef }
        { sa: s10 = sel p1, s1, 5 ; sb: s11 = sel !p1, s1, s2 }
        s12 = mov 12
        { sa: @p2 s12 = sel p1, s1, s2 ; sb: @p1 s13 = sel p2, s1, s2 }
        { sa: s14 = sel p1, s0, 5 ; sb: s0 = sel p1, s1, s2 }
        { sa: @!p2 s1 = sel p2, s1, s2 ; sb: @!p1 s2 = sel p1, s1, 0 }
        halt
