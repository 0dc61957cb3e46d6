# lsum.f32 over the lanes: order of the additions, overflow, subnormals, NaN; predicates; its own operand.
# expect: v2[0] = 0x42100000
# expect: v2[1] = 0x40a00000
# expect: v2[2] = 0x00000000
# expect: v2[3] = 0x7fc00000
# expect: v2[4] = 0x7f800000
# expect: v2[5] = 0x7fc00000
# expect: v2[6] = 0x00800000
# expect: v2[7] = 0x7fc00000
# expect: v3 = 3
# expect: v4[3] = 0x7fc00000
# expect: v1[0] = 0x42100000
# expect: v1[7] = 0x7fc00000

        .include "../common.inc"
        .data
x:      cells_then_zeros 0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0x40a00000, 0x40c00000, 0x40e00000, 0x41000000
        cells_then_zeros 0x4b800000, 0x3f800000, 0x3f800000, 0x3f800000, 0xcb800000, 0x3f800000, 0x3f800000, 0x3f800000
        cells_then_zeros 0x4cbebc20, 0x3f800000, 0xccbebc20, 0x3f800000, 0x3f800000, 0x4cbebc20, 0xccbebc20, 0x3dcccccd
        cells_then_zeros 0x7f7fffff, 0x7f7fffff, 0xff7fffff, 0xff7fffff, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000
        cells_then_zeros 0x7f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000
        cells_then_zeros 0x7f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0xff800000, 0x3f800000, 0x3f800000, 0x3f800000
        cells_then_zeros 0x00000001, 0x807fffff, 0x00800000, 0x80800001, 0x00800000, 0x80000000, 0x00ffffff, 0x80800000
        cells_then_zeros 0x3dcccccd, 0x3e4ccccd, 0x3e99999a, 0x3ecccccd, 0x3f000000, 0x3f19999a, 0x3f333333, 0x7f800001
        .text

        fetch   x, 0, 8
        { ld: v1 = vld [0] ; sa: s4 = mov 3 }
        { xu: v2 = lsum.f32 v1 ; va: v3 = vmov s4 }
        { xu: @p1 v3 = lsum.f32 v1 }
        { xu: @!p1 v4 = lsum.f32 v1 }
        { xu: v1 = lsum.f32 v1 }
        halt
