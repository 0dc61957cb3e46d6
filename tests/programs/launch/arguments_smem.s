# The argument block in SMEM at start, 16 words a tensor; reserved words follow it, zero.
# expect: smem[2] = 0, 2, 3, 5, 1, 1, 20, 60, 0, 1, 1, 1, 1
# expect: smem[18] = 1, 3, 2, 4, 7, 1, 16, 128, 0, 1, 1, 1, 1
# expect: smem[34] = 2, 1, 9, 1, 1, 1, 36, 36, 0, 1, 1, 1, 1
# expect: smem[48] = 0, 7, 0
# expect: smem[SMEM_WORDS - 1] = 0
# expect: s3 = 48
# expect: s4 = 1
# expect: s5 = 128
# expect: s6 = 49
# expect: s7 = 0
# expect: s8 = 1

        .arguments
        .tensor x, f32, [3, 5], out
        .tensor y, bf16, [2, 4, 7], out
        .tensor z, s32, [9], out
        .smem
own:    .space  8
        .text

        { sb: s9 = sld [0] ; sa: s6 = mov own + 1 }     # in the first bundle: the address of x
        { sb: s5 = sld [16 + 9] }                       # bytes of y
        { sb: s3 = csr arg_words }
        { sb: s10 = csr arg_lo }
        { sb: s11 = sld [16] ; sa: p1 = lt.u32 s10, s9 }
        p2 = lt.u32 s9, s11
        { sb: s7 = sld [s6] ; sa: s12 = mov 1 }
        { sa: s4 = sel p1, s12, s0 ; sb: s8 = sel p2, s12, s0 }
        s13 = mov 7
        sst     [own + 1], s13
        halt
