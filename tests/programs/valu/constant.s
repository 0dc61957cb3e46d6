# A constant as the second source of every operation that has one: reals, numbers, labels, both slots, predicates.
# expect: v10[r] = 0x3fc00000, 0x40200000, 0x40400000, 0x00000000, 0x40600000, 0xbfc00000, 0x3fe00000, 0x42cb0000
# expect: v11[r] = 0xbfc00000, 0xbf000000, 0x00000000, 0xc0400000, 0x3f000000, 0xc0900000, 0xbfa00000, 0x42c50000
# expect: v12[r] = 0x00000000, 0x3fc00000, 0x40100000, 0xc0100000, 0x40400000, 0xc0900000, 0x3ec00000, 0x43160000
# expect: v13[r] = 0x00000000, 0x3f800000, 0x3fc00000, 0xbfc00000, 0x3fc00000, 0xc0400000, 0x3e800000, 0x3fc00000
# expect: v14[r] = 0x3fc00000, 0x3fc00000, 0x3fc00000, 0x3fc00000, 0x40000000, 0x3fc00000, 0x3fc00000, 0x42c80000
# expect: v15[r] = 0x3fc00000, 0x3fc03f80, 0x3fc03fc0, 0x3fc0bfc0, 0x3fc04000, 0x3fc0c040, 0x3fc03e80, 0x3fc042c8
# expect: v16[r] = 0x00f90000, 0x00f90001, 0x00f90007, 0xfff9fff9, 0x80f90000, 0x7ff9ffff, 0x12f95678, 0x00f9012c
# expect: v17[r] = 0xfffffff9, 0xfffffffa, 0x00000000, 0xfffffff2, 0x7ffffff9, 0x7ffffff8, 0x12345671, 0x00000125
# expect: v18[r] = 0x00000007, 0x00000008, 0x0000000e, 0x00000000, 0x80000007, 0x80000006, 0x1234567f, 0x00000133
# expect: v19[r] = 0x00000000, 0xfffffff9, 0xffffffcf, 0x00000031, 0x80000000, 0x80000007, 0x8091a2b8, 0xfffff7cc
# expect: v20[r] = 0x00000000, 0x00000001, 0x00000001, 0xfffffff9, 0x80000000, 0x7ffffff9, 0x12345678, 0x00000128
# expect: v21[r] = 0xfffffff9, 0xfffffff9, 0xffffffff, 0xfffffff9, 0xfffffff9, 0xffffffff, 0xfffffff9, 0xfffffffd
# expect: v22[r] = 0xfffffff9, 0xfffffff8, 0xfffffffe, 0x00000000, 0x7ffffff9, 0x80000006, 0xedcba981, 0xfffffed5
# expect: v23[r] = 0xfffffff9, 0xfffffff9, 0xfffffff9, 0xfffffff9, 0x80000000, 0xfffffff9, 0xfffffff9, 0xfffffff9
# expect: v24[r] = 0x00000000, 0x00000001, 0x00000007, 0xfffffff9, 0xfffffff9, 0x7fffffff, 0x12345678, 0x0000012c
# expect: v25[r] = 0x89abcdef, 0x89abcdef, 0x89abcdef, 0x89abcdef, 0x89abcdef, 0x89abcdef, 0x89abcdef, 0x89abcdef
# expect: v26[r] = 0xc0000000, 0xc0000000, 0xc0000000, 0xc0000000, 0xc0000000, 0xc0000000, 0xc0000000, 0xc0000000
# expect: v27[r] = 0x40800000, 0x40800000, 0x40800000, 0x40800000, 0x40800000, 0x40800000, 0x40800000, 0x40800000
# expect: v28[r] = 0x00000000, 0x3fc00000, 0x40100000, 0xc0100000, 0x40400000, 0xc0900000, 0x3ec00000, 0x43160000
# expect: v29[r] = 0x7fffffff, 0xbf7fffff, 0xbfbfffff, 0x3fbfffff, 0xbfffffff, 0x403fffff, 0xbe7fffff, 0xc2c7ffff
# expect: m1[r] = 0, 0, 1, 0, 0, 0, 0, 0
# expect: m2[r] = 1, 1, 0, 1, 1, 1, 1, 1
# expect: m3[r] = 1, 1, 0, 1, 0, 1, 1, 0
# expect: m5[r] = 0, 0, 0, 1, 0, 0, 0, 0
# expect: m6[r] = 1, 1, 1, 0, 1, 1, 1, 1
# expect: m7[r] = 0, 0, 0, 0, 1, 0, 0, 0
# expect: v40[r] = 0, 0, 0, 1, 1, 0, 0, 0
# expect: v41[r] = 0x00000000, 0x00000001, 0x3fc00000, 0xfffffff9, 0x3fc00000, 0x7fffffff, 0x12345678, 0x3fc00000
# expect: v42[r] = 0xffffffff, 0xffffffff, 0x00000007, 0xffffffff, 0x80000000, 0xffffffff, 0xffffffff, 0x0000012c
# expect: v47[r] = 1, 1, 1, 1, 0, 1, 1, 0
# expect: v43 = 0x12345678
# expect: v44 = 13
# expect: v45 = 40

        .include "../common.inc"
        .equ    later, 40
        .vmem
        .align  8
        .space  8
place:  .space  8
        .data
        .align  4
x:      cells   0x00000000, 0x3f800000, 0x3fc00000, 0xbfc00000, 0x40000000, 0xc0400000, 0x3e800000, 0x42c80000
        .rept   7
        cells   0x00000000, 0x3f800000, 0x3fc00000, 0xbfc00000, 0x40000000, 0xc0400000, 0x3e800000, 0x42c80000
        .endr
        .align  4
y:      .rept   8
        cells   0x00000000, 0x00000001, 0x00000007, 0xfffffff9, 0x80000000, 0x7fffffff, 0x12345678, 0x0000012c
        .endr
        .text

        fetch   x, 8, 8
        fetch   y, 16, 8
        v1 = vld [8]
        v2 = vld [16]
        v3 = vpack.bf16 v1, v1
        s4 = mov 2.5
        { va: v10 = vadd.f32 v1, 1.5 ; vb: v11 = vsub.f32 v1, 1.5 }
        { va: v12 = vmul.f32 v1, 1.5 ; vb: v13 = vmin.f32 v1, 1.5 }
        { va: v14 = vmax.f32 v1, 1.5 ; vb: v15 = vpack.bf16 v1, 1.5 }
        { va: v16 = vpack.s8 v2, -7, 2 ; vb: v17 = vadd.s32 v2, -7 }
        { va: v18 = vsub.s32 v2, -7 ; vb: v19 = vmul.s32 v2, -7 }
        { va: v20 = vand v2, -7 ; vb: v21 = vor v2, -7 }
        { va: v22 = vxor v2, -7 ; vb: v23 = vmin.s32 v2, -7 }
        { va: v24 = vmax.s32 v2, -7 ; vb: v25 = vmov 0x89abcdef }
        { va: v26 = vmov -2.0 ; vb: v27 = vadd.f32 s4, 1.5 }
        { va: v28 = vmul.f32 v3.hi, 1.5 ; vb: v29 = vadd.s32 v3.lo, 0x7fffffff }
        { va: m1 = veq.f32 v1, 1.5 ; vb: m2 = vne.f32 v1, 1.5 }
        { va: m3 = vlt.f32 v1, 1.5 ; vb: m4 = vle.f32 v1, 1.5 }
        { va: v41 = vsel m3, v2, 1.5 ; vb: v42 = vsel !m3, v2, -1 }
        { vb: m5 = veq.s32 v2, -7 }
        { vb: m6 = vne.s32 v2, -7 }
        { vb: m7 = vlt.s32 v2, -7 }
        { va: m0 = vlt.s32 v2, 4 ; vb: v43 = vmov 0x12345678 }
        { va: v46 = vmov 1 }
        { va: v44 = vmov 5 ; vb: v45 = vmov later }
        { va: @p1 v43 = vmov 6 ; vb: @!p1 v44 = vadd.s32 v44, place }     # place: VMEM row 8
        { vb: v47 = vsel m4, v46, 0 }
        { va: m4 = vle.s32 v2, -7 }
        { va: v40 = vsel m4, v46, 0 }
        halt
