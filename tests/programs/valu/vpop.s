# vpop: ones of every kind of word, every form of the source, both slots, predicates.
# expect: v11[0] = 0, 1, 1, 2, 32, 1, 31, 1
# expect: v11[1] = 1, 16, 1, 16, 13, 24, 16, 16
# expect: v11[2] = 1, 1, 1, 1, 1, 1, 12, 20
# expect: v11[3] = 16, 16, 1, 1, 1, 2, 1, 1
# expect: v11[4] = 32, 31, 31, 30, 0, 31, 1, 31
# expect: v11[5] = 31, 16, 31, 16, 19, 8, 16, 16
# expect: v11[6] = 31, 31, 31, 31, 31, 31, 20, 12
# expect: v11[7] = 16, 16, 31, 31, 31, 30, 31, 31
# expect: v12[1] = 0, 16, 1, 8, 8, 13, 8, 8
# expect: v12[3] = 8, 8, 0, 0, 1, 1, 0, 0
# expect: v13[1] = 1, 0, 0, 8, 5, 11, 8, 8
# expect: v13[3] = 8, 8, 1, 1, 0, 1, 1, 1
# expect: v14 = 3
# expect: v15[2] = 1, 1, 1, 1, 1, 1, 12, 20
# expect: v16 = 0

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
        { va: v11 = vpop v1 ; vb: v12 = vpop v1.lo }
        { va: v13 = vpop v1.hi ; vb: v14 = vpop s4 }
        { va: v15 = vmov v1 ; vb: v16 = vpop s0 }
        { va: @p1 v11 = vpop s4 ; vb: @!p1 v15 = vpop v15 }     # its own operand
        halt
