# lperm: reversal, indices beyond L and negative, rows apart, predicates, its own index and operand.
# expect: v2 = lo(0x01020304 * (r * LANES + LANES - 1 - j) + 0x80000001)
# expect: v3 = lo(0x01020304 * (r * LANES + (j + r) % LANES) + 0x80000001)
# expect: v4 = lo(0x01020304 * (r * LANES + 1) + 0x80000001)
# expect: v5 = 7
# expect: v6 = lo(0x01020304 * (r * LANES + LANES - 1 - j) + 0x80000001)
# expect: v7 = LANES - 1 - ((j + r) % LANES)
# expect: v12 = (LANES - 1 - j) - LANES * 4

        .include "../numbered.inc"
        { sa: s4 = mov LANES - 1 ; sb: s5 = mov LANES * 1000 + 1 }
        { va: v10 = vlane ; vb: v11 = vsublane ; sa: s6 = mov 7 ; sb: s7 = mov LANES * 4 }
        { va: v11 = vadd.s32 v10, v11 ; vb: v10 = vsub.s32 s4, v10 }
        { va: v12 = vsub.s32 v10, s7 ; vb: v13 = vmov s5 }
        { xu: v2 = lperm v1, v10 ; va: v5 = vmov s6 }
        { xu: v3 = lperm v1, v11 }
        { xu: v4 = lperm v1, v13 }
        { xu: @p1 v5 = lperm v1, v10 }
        { xu: @!p1 v6 = lperm v1, v12 }
        { xu: v7 = lperm v10, v11 }
        { xu: v1 = lperm v1, v1 }
        halt
