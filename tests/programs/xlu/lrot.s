# lrot: counts of constant and register, beyond L and negative, predicates, its own operand.
# expect: v2 = lo(0x01020304 * (r * LANES + (j - 3 + LANES) % LANES) + 0x80000001)
# expect: v3 = lo(0x01020304 * (r * LANES + j) + 0x80000001)
# expect: v4 = lo(0x01020304 * (r * LANES + (j + 1) % LANES) + 0x80000001)
# expect: v5 = lo(0x01020304 * (r * LANES + (j + 5) % LANES) + 0x80000001)
# expect: v6 = lo(0x01020304 * (r * LANES + (j - 1 + LANES) % LANES) + 0x80000001)
# expect: v7 = 7
# expect: v8 = lo(0x01020304 * (r * LANES + (j - 4 + LANES) % LANES) + 0x80000001)
# expect: v1 = lo(0x01020304 * (r * LANES + (j - 7 + LANES) % LANES) + 0x80000001)

        .include "../numbered.inc"
        { sa: s4 = mov -5 ; sb: s5 = mov LANES * 1000 + 1 }
        { xu: v2 = lrot v1, 3 ; sa: s6 = mov 7 }
        { xu: v3 = lrot v1, 0 ; va: v7 = vmov s6 }
        { xu: v4 = lrot v1, 127 }
        { xu: v5 = lrot v1, s4 }
        { xu: v6 = lrot v1, s5 }
        { xu: @p1 v7 = lrot v1, 1 }
        { xu: @!p1 v8 = lrot v1, 4 }
        { xu: v1 = lrot v1, s6 ; sb: s6 = mov 0 }
        halt
