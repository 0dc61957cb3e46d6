# lmax.s32 over the lanes: ends of the range; predicates; its own operand.
# expect: v2[0] = 0x00000007
# expect: v2[1] = 0x7fffffff
# expect: v2[2] = 0xffffffff
# expect: v2[3] = 0x80000000
# expect: v2[4] = 0x7fffffff
# expect: v2[5] = 0x55555555
# expect: v2[6] = 0x00000008
# expect: v2[7] = 0x7fffffff
# expect: v3 = 3
# expect: v4[3] = 0x80000000
# expect: v1[0] = 0x00000007
# expect: v1[7] = 0x7fffffff

        .include "../common.inc"
        .data
x:      cells 0x00000003, 0xffffffff, 0x00000007, 0x00000007, 0x00000002, 0xfffffff8, 0x00000000, 0x00000001
        cells 0x80000000, 0x7fffffff, 0x80000000, 0x7fffffff, 0x00000000, 0x00000001, 0x00000002, 0x00000003
        cells 0xffffffff, 0xfffffffe, 0xfffffffd, 0xfffffffd, 0xfffffffb, 0xfffffffa, 0xfffffff9, 0xfffffff8
        cells 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000
        cells 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff
        cells 0x12345678, 0x9abcdef0, 0xdeadbeef, 0x0badf00d, 0xcafebabe, 0x00000000, 0xffffffff, 0x55555555
        cells 0x00000001, 0x00000002, 0x00000003, 0x00000004, 0x00000005, 0x00000006, 0x00000007, 0x00000008
        cells 0x80000001, 0x80000000, 0x00000000, 0x00000000, 0x00000000, 0x7ffffffe, 0x7fffffff, 0x7fffffff
        .text

        fetch   x, 0, 8
        { ld: v1 = vld [0] ; sa: s4 = mov 3 }
        { xu: v2 = lmax.s32 v1 ; va: v3 = vmov s4 }
        { xu: @p1 v3 = lmax.s32 v1 }
        { xu: @!p1 v4 = lmax.s32 v1 }
        { xu: v1 = lmax.s32 v1 }
        halt
