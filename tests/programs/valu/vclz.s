# vclz: leading zeros of every kind of word, every form of the source, both slots, predicates.
# expect: v11[0] = 32, 31, 30, 30, 0, 0, 1, 1
# expect: v11[1] = 15, 16, 16, 8, 3, 0, 1, 0
# expect: v11[2] = 27, 23, 19, 11, 7, 3, 20, 0
# expect: v11[3] = 4, 2, 8, 9, 24, 4, 5, 10
# expect: v11[4] = 0, 0, 0, 0, 32, 1, 0, 0
# expect: v11[5] = 0, 0, 0, 0, 0, 2, 0, 1
# expect: v11[6] = 0, 0, 0, 0, 0, 0, 0, 20
# expect: v11[7] = 0, 0, 0, 0, 0, 0, 0, 0
# expect: v12[1] = 32, 0, 0, 8, 1, 0, 1, 0
# expect: v12[3] = 4, 2, 32, 32, 8, 15, 32, 32
# expect: v13[1] = 15, 32, 32, 8, 3, 0, 1, 0
# expect: v13[3] = 4, 2, 8, 9, 32, 4, 5, 10
# expect: v14 = 8
# expect: v15[2] = 27, 23, 19, 11, 7, 3, 20, 0
# expect: v16 = 32

        .include "../common.inc"
        .data
        .align  4
x:
        cells   0x00000000, 0x00000001, 0x00000002, 0x00000003, 0xffffffff, 0x80000000, 0x7fffffff, 0x40000000
        cells   0x00010000, 0x0000ffff, 0x00008000, 0x00ff00ff, 0x12345678, 0xdeadbeef, 0x55555555, 0xaaaaaaaa
        cells   0x00000010, 0x00000100, 0x00001000, 0x00100000, 0x01000000, 0x10000000, 0x00000fff, 0xfffff000
        cells   0x0f0f0f0f, 0x33333333, 0x00800000, 0x00400000, 0x00000080, 0x08000001, 0x04000000, 0x00200000
        cells   0xffffffff, 0xfffffffe, 0xfffffffd, 0xfffffffc, 0x00000000, 0x7fffffff, 0x80000000, 0xbfffffff
        cells   0xfffeffff, 0xffff0000, 0xffff7fff, 0xff00ff00, 0xedcba987, 0x21524110, 0xaaaaaaaa, 0x55555555
        cells   0xffffffef, 0xfffffeff, 0xffffefff, 0xffefffff, 0xfeffffff, 0xefffffff, 0xfffff000, 0x00000fff
        cells   0xf0f0f0f0, 0xcccccccc, 0xff7fffff, 0xffbfffff, 0xffffff7f, 0xf7fffffe, 0xfbffffff, 0xffdfffff
        .text

        fetch   x, 0, 8
        v1 = vld [0]
        s4 = mov 0x00c02000
        { va: v11 = vclz v1 ; vb: v12 = vclz v1.lo }
        { va: v13 = vclz v1.hi ; vb: v14 = vclz s4 }
        { va: v15 = vmov v1 ; vb: v16 = vclz s0 }
        { va: @p1 v11 = vclz s4 ; vb: @!p1 v15 = vclz v15 }     # its own operand
        halt
