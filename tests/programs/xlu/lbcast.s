# lbcast: counts of constant and register, beyond L and negative, predicates, its own operand.
# expect: v2 = lo(0x01020304 * (r * LANES + 3) + 0x80000001)
# expect: v3 = lo(0x01020304 * (r * LANES) + 0x80000001)
# expect: v4 = lo(0x01020304 * (r * LANES + LANES - 1) + 0x80000001)
# expect: v5 = lo(0x01020304 * (r * LANES + LANES - 5) + 0x80000001)
# expect: v6 = lo(0x01020304 * (r * LANES + 1) + 0x80000001)
# expect: v7 = 7
# expect: v8 = lo(0x01020304 * (r * LANES + 4) + 0x80000001)
# expect: v1 = lo(0x01020304 * (r * LANES + 7) + 0x80000001)

        .include "../numbered.inc"
        { sa: s4 = mov -5 ; sb: s5 = mov LANES * 1000 + 1 }
        { xu: v2 = lbcast v1, 3 ; sa: s6 = mov 7 }
        { xu: v3 = lbcast v1, 0 ; va: v7 = vmov s6 }
        { xu: v4 = lbcast v1, 127 }
        { xu: v5 = lbcast v1, s4 }
        { xu: v6 = lbcast v1, s5 }
        { xu: @p1 v7 = lbcast v1, 1 }
        { xu: @!p1 v8 = lbcast v1, 4 }
        { xu: v1 = lbcast v1, s6 ; sb: s6 = mov 0 }
        halt
