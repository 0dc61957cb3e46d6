# Every scalar register, written by sa and sb, read by both operands: a chain through all of them.
# expect: s0 = 0
# expect: s1 = 1
# expect: s2 = 3
# expect: s3 = 7
# expect: s30 = 0x3fffffff
# expect: s31 = 0x7fffffff
# expect: smem[64] = 0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 1023, 2047, 4095, 8191, 16383, 32767
# expect: smem[80] = 0xffff, 0x1ffff, 0x3ffff, 0x7ffff, 0xfffff, 0x1fffff, 0x3fffff, 0x7fffff
# expect: smem[88] = 0xffffff, 0x1ffffff, 0x3ffffff, 0x7ffffff, 0xfffffff, 0x1fffffff, 0x3fffffff, 0x7fffffff

        s1 = mov 1
        .macro  step to, from, slot
        { \slot: s\to = add s\from, s\from }
        { \slot: s\to = add s\to, s1 }
        .endm
        step 2, 1, sa
        step 3, 2, sb
        step 4, 3, sa
        step 5, 4, sb
        step 6, 5, sa
        step 7, 6, sb
        step 8, 7, sa
        step 9, 8, sb
        step 10, 9, sa
        step 11, 10, sb
        step 12, 11, sa
        step 13, 12, sb
        step 14, 13, sa
        step 15, 14, sb
        step 16, 15, sa
        step 17, 16, sb
        step 18, 17, sa
        step 19, 18, sb
        step 20, 19, sa
        step 21, 20, sb
        step 22, 21, sa
        step 23, 22, sb
        step 24, 23, sa
        step 25, 24, sb
        step 26, 25, sa
        step 27, 26, sb
        step 28, 27, sa
        step 29, 28, sb
        step 30, 29, sa
        step 31, 30, sb
        .rept   32, i
        sst     [64 + \i], s\i
        .endr
        halt
