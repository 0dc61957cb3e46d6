# pand: every value and negation of both sources, p0, predicates.
# expect: s4 = 1
# expect: s5 = 0
# expect: s6 = 0
# expect: s7 = 0
# expect: s8 = 0
# expect: s9 = 1
# expect: s10 = 0
# expect: s11 = 1
# expect: s12 = 0
# expect: s13 = 0
# expect: p5 = 1
# expect: p6 = 0
# expect: p1 = 0
# expect: p0 = 1

        { sa: p1 = eq s0, 0 ; sb: p2 = eq s0, 1 }
        s1 = mov 1
        { sa: p3 = pand p1, p1 ; sb: p4 = pand p1, p2 }
        { sa: s4 = sel p3, s1, 0 ; sb: s5 = sel p4, s1, 0 }
        { sa: p3 = pand p2, p1 ; sb: p4 = pand p2, p2 }
        { sa: s6 = sel p3, s1, 0 ; sb: s7 = sel p4, s1, 0 }
        { sa: p3 = pand !p1, p1 ; sb: p4 = pand p1, !p2 }
        { sa: s8 = sel p3, s1, 0 ; sb: s9 = sel p4, s1, 0 }
        { sa: p3 = pand !p2, !p1 ; sb: p4 = pand !p2, !p2 }
        { sa: s10 = sel p3, s1, 0 ; sb: s11 = sel p4, s1, 0 }
        { sa: p3 = pand p0, p2 ; sb: p4 = pand !p0, p1 }
        { sa: s12 = sel p3, s1, 0 ; sb: s13 = sel p4, s1, 0 }
        { sa: p5 = eq s0, 0 ; sb: p6 = eq s0, 0 }
        { sa: @p2 p5 = pxor p1, p1 ; sb: @!p2 p6 = pand p1, p2 }
        { sa: @!p1 p5 = pand p2, p2 ; sb: @p1 p1 = pand !p1, p1 }
        { sa: p0 = pand p2, p2 }
        halt
