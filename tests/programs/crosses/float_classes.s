# Every class of float in every lane of x beside every class of y: zero, subnormal, normal, infinite, NaN.
# expect: v1[0] = 0, 1, 0x3fc00000, 0x7f800000, 0x7fc00000, 0x80000000, 0x80000001, 0xff800000
# expect: v20[0] = 0x7fc00000

        .include "../common.inc"
        .data
        .align  4
values: cells   0, 1, 0x3fc00000, 0x7f800000, 0x7fc00000, 0x80000000, 0x80000001, 0xff800000
        .text
        .macro  beside_all op
        v20 = \op v1, 0
        v20 = \op v1, 1
        v20 = \op v1, 1.5
        v20 = \op v1, 0x7f800000
        v20 = \op v1, 0x7fc00000
        .endm

        fetch   values, 0, 1
        v1 = vld [0], rows=1
        beside_all vsub.f32
        beside_all vmul.f32
        beside_all vmulerr.f32
        beside_all vmin.f32
        beside_all vmax.f32
        beside_all vadd.f32
        .macro  compare_all op
        m1 = \op v1, 0
        m1 = \op v1, 1
        m1 = \op v1, 1.5
        m1 = \op v1, 0x7f800000
        m1 = \op v1, 0x7fc00000
        .endm
        compare_all veq.f32
        compare_all vne.f32
        compare_all vlt.f32
        compare_all vle.f32
        halt
