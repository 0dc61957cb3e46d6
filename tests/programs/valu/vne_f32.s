# vne.f32: corner values in every lane, every form of both sources, both slots, predicates.
# expect: m1[0] = 1, 1, 1, 1, 1, 1, 1, 1
# expect: m1[1] = 1, 1, 1, 1, 1, 1, 1, 1
# expect: m1[2] = 1, 1, 1, 0, 1, 1, 1, 1
# expect: m1[3] = 0, 1, 1, 1, 1, 1, 1, 1
# expect: m1[4] = 1, 1, 1, 1, 1, 1, 1, 1
# expect: m1[5] = 0, 1, 1, 1, 0, 0, 0, 1
# expect: m1[6] = 0, 0, 0, 0, 0, 1, 1, 1
# expect: m1[7] = 1, 1, 1, 1, 1, 1, 1, 1
# expect: m2[0] = 1, 1, 1, 1, 1, 1, 1, 1
# expect: m2[5] = 0, 1, 1, 1, 0, 0, 1, 0
# expect: m3[1] = 1, 1, 1, 1, 1, 1, 1, 1
# expect: m3[4] = 1, 1, 1, 1, 1, 1, 1, 1
# expect: m4[0] = 1, 1, 1, 1, 1, 1, 1, 1
# expect: m4[6] = 1, 1, 1, 1, 1, 1, 1, 1
# expect: m5[0] = 1, 1, 1, 1, 1, 1, 1, 1
# expect: m5[7] = 1, 1, 1, 1, 1, 1, 1, 1
# expect: m7[0] = 0, 0, 0, 0, 0, 0, 0, 0
# expect: m7[6] = 0, 0, 0, 0, 0, 0, 0, 0
# expect: v20[0] = 0x3f800000, 0xbfc00000, 0x40400000, 0x40490fdb, 0x501502f9, 0x3dcccccd, 0x4b800000, 0x4b800000
# expect: m6[0] = 1, 1, 1, 1, 1, 1, 1, 1
# expect: m6[3] = 0, 1, 1, 1, 1, 1, 1, 1
# expect: m6[5] = 0, 1, 1, 1, 0, 0, 0, 1

        .include "../common.inc"
        .include "float_pairs.inc"

        fetch   x, 0, 8
        fetch   y, 8, 8
        v1 = vld [0]
        v2 = vld [8]
        { sa: s4 = mov 0xc0200000 ; sb: s5 = mov 0x3fa00000 }
        { va: m1 = vne.f32 v1, v2 ; vb: m2 = vne.f32 v1.lo, v2.hi }
        { va: m3 = vne.f32 v1.hi, v2.lo ; vb: m4 = vne.f32 s4, v2 }
        { va: m5 = vne.f32 v1, s5 ; vb: m6 = vne.f32 s4, s5 }
        { va: m7 = vne.f32 v1, v1 ; vb: m0 = vne.f32 v1, v2 }     # m0: discarded
        { va: @p1 m1 = vne.f32 v2, v2 ; vb: @p2 m2 = vne.f32 v2, s4 }
        { va: v20 = vsel m0, v1, v2 }
        { va: @!p1 m6 = vne.f32 v2, v1 }
        halt
