# vle.u32: corner values in every lane, every form of both sources, both slots, predicates.
# expect: m1[0] = 1, 1, 1, 1, 1, 1, 1, 1
# expect: m1[1] = 0, 1, 1, 1, 1, 1, 1, 1
# expect: m1[2] = 0, 0, 1, 0, 0, 0, 0, 0
# expect: m1[3] = 0, 0, 1, 1, 1, 0, 0, 1
# expect: m1[4] = 0, 0, 1, 0, 1, 0, 0, 1
# expect: m1[5] = 0, 0, 1, 0, 0, 0, 0, 1
# expect: m1[6] = 0, 0, 1, 1, 1, 0, 0, 1
# expect: m1[7] = 0, 0, 1, 0, 0, 0, 0, 0
# expect: m2[0] = 1, 1, 1, 1, 1, 1, 1, 1
# expect: m2[5] = 0, 0, 1, 1, 1, 0, 0, 1
# expect: m3[1] = 1, 1, 1, 1, 1, 1, 1, 1
# expect: m3[4] = 0, 0, 1, 1, 0, 0, 0, 1
# expect: m4[0] = 0, 0, 1, 0, 0, 0, 0, 0
# expect: m4[6] = 0, 0, 1, 0, 0, 0, 0, 0
# expect: m5[0] = 1, 1, 1, 1, 1, 1, 1, 1
# expect: m5[7] = 0, 0, 0, 0, 0, 0, 0, 0
# expect: m7[0] = 1, 1, 1, 1, 1, 1, 1, 1
# expect: m7[3] = 1, 1, 1, 1, 1, 1, 1, 1
# expect: m7[4] = 1, 1, 1, 1, 1, 1, 1, 1
# expect: m7[7] = 0, 0, 0, 0, 0, 0, 0, 0
# expect: m6[0] = 1, 0, 0, 0, 0, 0, 0, 0
# expect: m6[3] = 1, 1, 0, 1, 0, 1, 1, 0
# expect: m6[5] = 1, 1, 0, 1, 1, 1, 1, 0
# expect: v20[0] = 0x00000000

        .include "../common.inc"
        .include "integer_pairs.inc"

        fetch   x, 0, 8
        fetch   y, 8, 8
        v1 = vld [0]
        v2 = vld [8]
        { sa: s4 = mov 0xfffffff6 ; sb: s5 = mov 0x00000025 }
        { va: m1 = vle.u32 v1, v2 ; vb: m2 = vle.u32 v1.lo, v2.hi }
        { va: m3 = vle.u32 v1.hi, v2.lo ; vb: m4 = vle.u32 s4, v2 }
        { va: m5 = vle.u32 v1, s5 ; vb: m6 = vle.u32 s4, s5 }
        { va: m7 = vle.u32 v1, 0x80000000 ; vb: m0 = vle.u32 v1, v2 }     # m0: discarded
        { va: @p1 m1 = vle.u32 v2, v2 ; vb: @p2 m2 = vle.u32 v2, s4 }
        { va: v20 = vsel m0, v1, v2 }
        { va: @!p1 m6 = vle.u32 v2, v1 }
        halt
