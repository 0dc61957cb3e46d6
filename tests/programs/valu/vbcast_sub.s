# vbcast.sub: counts of constant and register, beyond 7 and negative, every form, predicates.
# expect: v2 = lo(0x01020304 * (3 * LANES + j) + 0x80000001)
# expect: v3 = lo(0x01020304 * (0 * LANES + j) + 0x80000001)
# expect: v4 = lo(0x01020304 * (7 * LANES + j) + 0x80000001)
# expect: v5 = lo(0x01020304 * (5 * LANES + j) + 0x80000001)
# expect: v6 = lo((0x01020304 * (1 * LANES + j) + 0x80000001) << 16)
# expect: v7 = lo(0x01020304 * (2 * LANES + j) + 0x80000001) & 0xffff0000
# expect: v8 = 0x12345678
# expect: v9 = 9
# expect: v10 = lo(0x01020304 * (4 * LANES + j) + 0x80000001)
# expect: v1 = lo(0x01020304 * (6 * LANES + j) + 0x80000001)

        .include "../numbered.inc"
        { sa: s4 = mov -3 ; sb: s5 = mov 14 }
        { va: v2 = vbcast.sub v1, 3 ; vb: v3 = vbcast.sub v1, 0 }
        { va: v4 = vbcast.sub v1, 127 ; vb: v5 = vbcast.sub v1, s4 }
        { va: v6 = vbcast.sub v1.lo, 9 ; vb: v7 = vbcast.sub v1.hi, 2 ; sa: s6 = mov 0x12345678 ; sb: s7 = mov 9 }
        { va: v8 = vbcast.sub s6, 5 ; vb: v9 = vmov s7 }
        { va: @p1 v9 = vbcast.sub v1, 1 ; vb: @!p1 v10 = vbcast.sub v1, 4 }
        { va: v1 = vbcast.sub v1, s5 }
        halt
