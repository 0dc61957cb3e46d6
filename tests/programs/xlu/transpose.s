# transpose: each 8 x 8 block; predicates, its own operand; twice is the identity.
# expect: v2 = lo(0x01020304 * ((j % 8) * LANES + j - j % 8 + r) + 0x80000001)
# expect: v3 = lo(0x01020304 * (r * LANES + j) + 0x80000001)
# expect: v4 = 4
# expect: v5 = lo(0x01020304 * ((j % 8) * LANES + j - j % 8 + r) + 0x80000001)
# expect: v1 = lo(0x01020304 * ((j % 8) * LANES + j - j % 8 + r) + 0x80000001)

        .include "../numbered.inc"
        s4 = mov 4
        { xu: v2 = transpose v1 ; va: v4 = vmov s4 }
        { xu: v3 = transpose v2 }
        { xu: @p1 v4 = transpose v1 }
        { xu: @!p1 v5 = transpose v1 }
        { xu: v1 = transpose v1 }
        halt
