# Every accumulator: a<i> = i + 1 in every element, written by a multiply and read back.
# expect: a0 = 1
# expect: a1 = 2
# expect: a2 = 3
# expect: a3 = 4
# expect: a4 = 5
# expect: a5 = 6
# expect: a6 = 7
# expect: a7 = 8
# expect: a8 = 9
# expect: a9 = 10
# expect: a10 = 11
# expect: a11 = 12
# expect: a12 = 13
# expect: a13 = 14
# expect: a14 = 15
# expect: a15 = 16
# expect: a16 = 17
# expect: a17 = 18
# expect: a18 = 19
# expect: a19 = 20
# expect: a20 = 21
# expect: a21 = 22
# expect: a22 = 23
# expect: a23 = 24
# expect: a24 = 25
# expect: a25 = 26
# expect: a26 = 27
# expect: a27 = 28
# expect: a28 = 29
# expect: a29 = 30
# expect: a30 = 31
# expect: a31 = 32
# expect: a32 = 33
# expect: a33 = 34
# expect: a34 = 35
# expect: a35 = 36
# expect: a36 = 37
# expect: a37 = 38
# expect: a38 = 39
# expect: a39 = 40
# expect: a40 = 41
# expect: a41 = 42
# expect: a42 = 43
# expect: a43 = 44
# expect: a44 = 45
# expect: a45 = 46
# expect: a46 = 47
# expect: a47 = 48
# expect: a48 = 49
# expect: a49 = 50
# expect: a50 = 51
# expect: a51 = 52
# expect: a52 = 53
# expect: a53 = 54
# expect: a54 = 55
# expect: a55 = 56
# expect: a56 = 57
# expect: a57 = 58
# expect: a58 = 59
# expect: a59 = 60
# expect: a60 = 61
# expect: a61 = 62
# expect: a62 = 63
# expect: a63 = 64
# expect: v63 = 64
# expect: v1 = 33

        { va: v60 = vlane ; vb: v61 = vmov s0 ; sa: s1 = mov 1 }
        { va: m1 = veq.s32 v60, s0 ; vb: v3 = vmov s1 }
        { va: v2 = vsel m1, s1, s0 }            # lane 0 of the activations counts
        .rept   LANES / 8, i
        mxpush  8 * \i, v3.b0
        .endr
        { mx: mxmul.s8 a63, v61.b0, swap ; va: v4 = vmov v2 }
        .rept   64, i
        { mx: mxmul.s8 a\i, v4.b0 ; va: v4 = vadd.s32 v4, v2 }
        .endr
        { mx: v63 = mxread a63 }
        { mx: v1 = mxread a32 }
        halt
