# lmax.f32 over the lanes: zeros of both signs, subnormals, infinities, NaNs; predicates; its own operand.
# expect: v2[0] = 0x40f00000
# expect: v2[1] = 0x00000000
# expect: v2[2] = 0xbf000000
# expect: v2[3] = 0x7f800000
# expect: v2[4] = 0x7fc00000
# expect: v2[5] = 0x00000000
# expect: v2[6] = 0x7f7fffff
# expect: v2[7] = 0x9e3ce508
# expect: v3 = 3
# expect: v4[3] = 0x7f800000
# expect: v1[0] = 0x40f00000
# expect: v1[7] = 0x9e3ce508

        .include "../common.inc"
        .data
x:      cells 0x40400000, 0xbf800000, 0x40f00000, 0x40f00000, 0x40000000, 0xc1000000, 0x00000000, 0x3f800000
        cells 0x80000000, 0x00000000, 0x80000000, 0x00000000, 0x80000000, 0x80000000, 0x00000000, 0x80000000
        cells 0xbf800000, 0xc0000000, 0xbf000000, 0xbf000000, 0xc0400000, 0xc2c80000, 0xc0800000, 0xc1100000
        cells 0x7f800000, 0x3f800000, 0xff800000, 0x40000000, 0x7f7fffff, 0x40a00000, 0x40c00000, 0x40e00000
        cells 0x3f800000, 0x7fc00000, 0x40000000, 0xffc12345, 0x7f800000, 0x40a00000, 0x40c00000, 0x40e00000
        cells 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00000000, 0x80000000, 0x00400000, 0x80400000
        cells 0x7149f2ca, 0x0da24260, 0x7f7fffff, 0xff7fffff, 0x40600000, 0x40200000, 0x3fc00000, 0x3f000000
        cells 0xff800000, 0xff7fffff, 0xd01502f9, 0xff800000, 0xc0a00000, 0xbf800000, 0xbe800000, 0x9e3ce508
        .text

        fetch   x, 0, 8
        { ld: v1 = vld [0] ; sa: s4 = mov 3 }
        { xu: v2 = lmax.f32 v1 ; va: v3 = vmov s4 }
        { xu: @p1 v3 = lmax.f32 v1 }
        { xu: @!p1 v4 = lmax.f32 v1 }
        { xu: v1 = lmax.f32 v1 }
        halt
