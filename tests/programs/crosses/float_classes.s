# Every class of float in every lane of x beside every class of y: zero, subnormal, normal, infinite, NaN.
# expect: v1[0] = 0, 1, 0x3fc00000, 0x7f800000, 0x7fc00000, 0x80000000, 0x80000001, 0xff800000
# expect: v20[0] = 0x7fc00000

        .include "../common.inc"
        .data
        .align  4
values: cells   0, 1, 0x3fc00000, 0x7f800000, 0x7fc00000, 0x80000000, 0x80000001, 0xff800000
        .text
        .macro  beside_all to, op
        \to = \op v1, 0
        \to = \op v1, 1
        \to = \op v1, 1.5
        \to = \op v1, 0x7f800000
        \to = \op v1, 0x7fc00000
        .endm

        fetch   values, 0, 1
        v1 = vld [0], rows=1
        beside_all v20, vsub.f32
        beside_all v20, vmul.f32
        beside_all v20, vmulerr.f32
        beside_all v20, vmin.f32
        beside_all v20, vmax.f32
        beside_all v20, vadd.f32
        beside_all m1, veq.f32
        beside_all m1, vne.f32
        beside_all m1, vlt.f32
        beside_all m1, vle.f32
        halt
