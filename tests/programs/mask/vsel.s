# vsel: mask and its negation, m0, every form of both sources, predicates. Bits are kept.
# expect: v5[r] = 0x00000000, 1, 0x00000000, 1, 0x00000000, 1, 0x00000000, 1
# expect: v6[r] = 0xffffffff, 0x7f800001, 0xffffffff, 0x7f800001
# expect: v7 = 0x7f800001
# expect: v8[r] = 0x00010000, 0xffff0000, 0x00010000, 0xffff0000
# expect: v9[r] = 0x7f800000, 0x7fc00001
# expect: v10[r] = 0x7fc00001, 0x00010000
# expect: v11 = 11
# expect: v12[r] = 0x7f800001, 0xffffffff
# expect: v13 = 13
# expect: v14 = 0xffff0000
# expect: v15 = 0x7f800001

        .include "logic.inc"
        { sa: s4 = mov 0x7f800001 ; sb: s5 = mov 0xffffffff }
        { va: v1 = vmov s4 ; vb: v2 = vmov s5 ; sa: s6 = mov 1 ; sb: s7 = mov 0x7fc00001 }
        { va: v5 = vsel m1, s6, s0 ; vb: v6 = vsel !m1, v2, v1 }
        { va: v7 = vsel m0, v1, v2 ; sa: s9 = mov 11 ; sb: s10 = mov 13 }
        { va: v8 = vsel !m1, v1.lo, v2.hi ; vb: v9 = vsel m1, s7, v1.hi }
        { va: v10 = vsel m1, v1.lo, s7 ; vb: v11 = vmov s9 }
        { va: v12 = vmov v1 ; vb: v13 = vmov s10 }
        { va: @p1 v11 = vsel m0, v1, v2 ; vb: @!p1 v12 = vsel m1, v2, v12 }
        { va: @p1 v13 = vsel !m0, v1, s4 }
        { va: v14 = vsel !m0, v1.hi, v2.lo ; vb: v15 = vsel m2, v1, s4 }
        halt
