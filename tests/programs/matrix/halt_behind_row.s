# A multiply of one row is on its way when the program halts: its accumulator is written before the end.
# expect: a3[0] = LANES

        { va: v1 = vmov 0x01010101 ; vb: v2 = vmov 0 }
        .rept   LANES / 8, i
        mxpush  8 * \i, v1.b0
        .endr
        { mx: mxmul.s8 a3, v2.b0, rows=1, swap }
        { mx: mxmul.s8 a3, v1.b0, rows=1 }
        { sa: halt }
