# lsum.s32 over the lanes: wrap-around; predicates; its own operand.
# expect: v2[0] = 0x0000000b
# expect: v2[1] = 0x00000004
# expect: v2[2] = 0xffffffdd
# expect: v2[3] = 0x00000000
# expect: v2[4] = 0xfffffff8
# expect: v2[5] = 0xb7a0f476
# expect: v2[6] = 0x00000024
# expect: v2[7] = 0x7ffffffd
# expect: v3 = 3
# expect: v4[3] = 0x00000000
# expect: v1[0] = 0x0000000b
# expect: v1[7] = 0x7ffffffd

        .include "../common.inc"
        .data
x:      cells_then_zeros 0x00000003, 0xffffffff, 0x00000007, 0x00000007, 0x00000002, 0xfffffff8, 0x00000000, 0x00000001
        cells_then_zeros 0x80000000, 0x7fffffff, 0x80000000, 0x7fffffff, 0x00000000, 0x00000001, 0x00000002, 0x00000003
        cells_then_zeros 0xffffffff, 0xfffffffe, 0xfffffffd, 0xfffffffd, 0xfffffffb, 0xfffffffa, 0xfffffff9, 0xfffffff8
        cells_then_zeros 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000
        cells_then_zeros 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff
        cells_then_zeros 0x12345678, 0x9abcdef0, 0xdeadbeef, 0x0badf00d, 0xcafebabe, 0x00000000, 0xffffffff, 0x55555555
        cells_then_zeros 0x00000001, 0x00000002, 0x00000003, 0x00000004, 0x00000005, 0x00000006, 0x00000007, 0x00000008
        cells_then_zeros 0x80000001, 0x80000000, 0x00000000, 0x00000000, 0x00000000, 0x7ffffffe, 0x7fffffff, 0x7fffffff
        .text

        fetch   x, 0, 8
        { ld: v1 = vld [0] ; sa: s4 = mov 3 }
        { xu: v2 = lsum.s32 v1 ; va: v3 = vmov s4 }
        { xu: @p1 v3 = lsum.s32 v1 }
        { xu: @!p1 v4 = lsum.s32 v1 }
        { xu: v1 = lsum.s32 v1 }
        halt
