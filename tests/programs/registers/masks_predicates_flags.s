# Every mask, predicate and flag with a value of its own.
# expect: m0 = 1
# expect: m1 = j == 1
# expect: m2 = j == 2
# expect: m3 = j == 3
# expect: m4 = j == 4
# expect: m5 = j == 5
# expect: m6 = j == 6
# expect: m7 = j == 7
# expect: p0 = 1
# expect: p1 = 1
# expect: p2 = 0
# expect: p3 = 1
# expect: p4 = 0
# expect: p5 = 1
# expect: p6 = 0
# expect: p7 = 1
# expect: f0 = 255
# expect: f1 = 239
# expect: f2 = 223
# expect: f3 = 207
# expect: f4 = 191
# expect: f5 = 175
# expect: f6 = 159
# expect: f7 = 143
# expect: f8 = 127
# expect: f9 = 111
# expect: f10 = 95
# expect: f11 = 79
# expect: f12 = 63
# expect: f13 = 47
# expect: f14 = 31
# expect: f15 = 15
# expect: f16 = -1
# expect: f17 = -17
# expect: f18 = -33
# expect: f19 = -49
# expect: f20 = -65
# expect: f21 = -81
# expect: f22 = -97
# expect: f23 = -113
# expect: f24 = -129
# expect: f25 = -145
# expect: f26 = -161
# expect: f27 = -177
# expect: f28 = -193
# expect: f29 = -209
# expect: f30 = -225
# expect: f31 = -241
# expect: s1 = 1

        { va: v1 = vlane ; sa: s1 = mov 1 ; sb: s2 = mov 2 }
        { va: m1 = veq.s32 v1, s1 ; vb: m2 = veq.s32 v1, s2 ; sa: s3 = mov 3 ; sb: s4 = mov 4 }
        { va: m3 = veq.s32 v1, s3 ; vb: m4 = veq.s32 v1, s4 ; sa: s5 = mov 5 ; sb: s6 = mov 6 }
        { va: m5 = veq.s32 v1, s5 ; vb: m6 = veq.s32 v1, s6 ; sa: s7 = mov 7 }
        { va: m7 = veq.s32 v1, s7 ; sa: p1 = eq s1, 1 ; sb: p2 = eq s1, 2 }
        { sa: p3 = por p1, p2 ; sb: p4 = pand p1, p2 }
        { sa: p5 = pxor p3, p4 ; sb: p6 = pand !p5, p3 }
        { sa: p7 = por p5, p6 ; sb: p6 = pxor p5, p3 }
        .rept   32, i
        { dma: fset f\i, 255 - 16 * \i }
        .endr
        .rept   32, i
        { dma: wait f\i, 255 - 16 * \i }
        .endr
        halt
