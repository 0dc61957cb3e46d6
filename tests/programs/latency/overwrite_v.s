# A slow result and a fast one into the same vector, in either order: the later bundle wins.
# expect: v1 = 7
# expect: v2 = 7
# expect: v3 = 7
# expect: v4 = 5
# expect: v5 = 0
# expect: v6 = 5
# expect: v7 = 1.0
# expect: v8 = 7
# expect: v9 = 0
# expect: v10 = 5
# expect: v11 = 1.0
# expect: m1 = 1

        { va: v60 = vmov s0 ; sa: s5 = mov 5 ; sb: s7 = mov 7 }
        { va: v61 = vmov s5 ; vb: v62 = vmov s7 }
        .rept   LANES / 8, i
        mxpush  8 * \i, v60.b0
        .endr
        { mx: mxmul.s8 a0, v60.b0, swap }
        { st: vst [0], v61, stride=8 }
        { xu: v1 = exp2 v60 }
        { va: v1 = vmov s7 }                    # EUP, vector ALU
        { xu: v2 = lrot v61, 1 }
        { vb: v2 = vmov s7 }                    # XLU, vector ALU
        { ld: v3 = vld [0], stride=8 }
        { va: v3 = vmov s7 }                    # load, vector ALU
        { xu: v4 = exp2 v60 }
        { ld: v4 = vld [0], stride=8 }          # EUP, load
        { xu: v5 = lrot v61, 1 }
        { mx: v5 = mxread a0 }                  # XLU, accumulator
        { mx: v6 = mxread a0 }
        { ld: v6 = vld [0], stride=8 }          # accumulator, load
        { ld: v7 = vld [0], stride=8 }
        { xu: v7 = exp2 v60 }                   # load, EUP
        { mx: v8 = mxread a0 }
        { va: v8 = vmov s7 }                    # accumulator, vector ALU
        { va: v9 = vmov s7 }
        { mx: v9 = mxread a0 }                  # vector ALU, accumulator
        { xu: v10 = exp2 v60 }
        { xu: v10 = lrot v61, 1 }               # EUP, XLU
        { xu: v11 = lrot v61, 1 }
        { xu: v11 = exp2 v60 }                  # XLU, EUP
        { va: m1 = vne.s32 v1, v62 }
        { vb: m1 = veq.s32 v1, v62 }
        halt
