# Adding to an accumulator that was never written.
# expect: uninitialised pc here

        { va: v1 = vlane ; sa: s4 = mov 1 }
        v2 = vmov s0
        .rept   LANES / 8, i
        mxpush  8 * \i, v2.b0
        .endr
        { mx: mxmul.s8 a0, v2.b0, swap, rows=3 }
        { mx: mxmul.s8 a0, v2.b0, add, rows=3 }
here:   { mx: mxmul.s8 a0, v2.b0, add, rows=4 }
        halt
