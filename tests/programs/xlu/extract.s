# extract: counts of constant and register, beyond 8 L and negative, s0, predicates.
# expect: s4 = lo(0x01020304 * 3 + 0x80000001)
# expect: s5 = lo(0x01020304 * (127 % (8 * LANES)) + 0x80000001)
# expect: s6 = lo(0x01020304 * (8 * LANES - 5) + 0x80000001)
# expect: s7 = lo(0x01020304 * 1 + 0x80000001)
# expect: s8 = 8
# expect: s9 = lo(0x01020304 * 4 + 0x80000001)
# expect: s10 = lo(0x01020304 * (5 * LANES + 2) + 0x80000001)
# expect: s11 = lo(0x01020304 * 0 + 0x80000001)
# expect: s12 = lo(0x01020304 * (8 * LANES - 1) + 0x80000001)
# expect: s0 = 0

        .include "../numbered.inc"
        { sa: s20 = mov -5 ; sb: s21 = mov LANES * 8000 + 1 }
        { xu: s4 = extract v1, 3 ; sa: s22 = mov 5 * LANES + 2 }
        { xu: s5 = extract v1, 127 ; sa: s8 = mov 8 }
        { xu: s6 = extract v1, s20 }
        { xu: s7 = extract v1, s21 }
        { xu: @p1 s8 = extract v1, 4 }
        { xu: @!p1 s9 = extract v1, 4 }
        { xu: s10 = extract v1, s22 }
        { xu: s11 = extract v1, 0 ; sa: s23 = mov 8 * LANES - 1 }
        { xu: s12 = extract v1, s23 }
        { xu: s0 = extract v1, 4 }
        halt
