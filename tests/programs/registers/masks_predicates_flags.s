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
# expect: f0 = 1000
# expect: f1 = 969
# expect: f2 = 938
# expect: f3 = 907
# expect: f4 = 876
# expect: f5 = 845
# expect: f6 = 814
# expect: f7 = 783
# expect: f8 = 752
# expect: f9 = 721
# expect: f10 = 690
# expect: f11 = 659
# expect: f12 = 628
# expect: f13 = 597
# expect: f14 = 566
# expect: f15 = 535
# expect: f16 = 504
# expect: f17 = 473
# expect: f18 = 442
# expect: f19 = 411
# expect: f20 = 380
# expect: f21 = 349
# expect: f22 = 318
# expect: f23 = 287
# expect: f24 = 256
# expect: f25 = 225
# expect: f26 = 194
# expect: f27 = 163
# expect: f28 = 132
# expect: f29 = 101
# expect: f30 = 70
# expect: f31 = 39
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
        { dma: fset f\i, 1000 - 31 * \i }
        .endr
        .rept   32, i
        { dma: wait f\i, 1000 - 31 * \i }
        .endr
        halt
