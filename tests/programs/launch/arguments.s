# The argument block: one entry of 16 words a tensor, in order; types, ranks, sizes, pitches, bytes.
# expect: smem[block + 2] = 0, 2, 3, 5, 1, 1, 20, 60, 0, 1, 1, 1, 1
# expect: smem[block + 18] = 1, 3, 2, 4, 7, 1, 16, 128, 0, 1, 1, 1, 1
# expect: smem[block + 34] = 2, 1, 9, 1, 1, 1, 36, 36, 0, 1, 1, 1, 1
# expect: smem[block + 50] = 3, 4, 1, 2, 3, 5, 8, 48, 0, 1, 1, 1, 1
# expect: smem[block + 66] = 0, 0, 1, 1, 1, 1, 4, 4, 0, 1, 1, 1, 1
# expect: s4 = 0
# expect: s5 = 0
# expect: s6 = 1
# expect: s8 = 64

        .tensor x, f32, [3, 5], out
        .tensor y, bf16, [2, 4, 7], out
        .tensor z, s32, [9], out
        .tensor b, s8, [1, 2, 3, 5], out
        .tensor c, f32, [], out
        .include "../common.inc"
        .smem
        .align  16
block:  .space  5 * 16
        .text

        { sb: s20 = csr arg_lo }
        { sb: s21 = csr arg_hi }
        describe fetch_descriptor, HBM_TO_SMEM | FLAG, 1, 0, 4 * block, 5 * 64
        sst     [fetch_descriptor + 2], s20
        sst     [fetch_descriptor + 3], s21
        { dma: copy [fetch_descriptor], s0, s0 }
        { dma: wait f1, 1 ; sa: s8 = mov y.entry }
        { sb: s22 = sld [block] }               # the address of x
        { sb: s4 = sld [block + 1] }
        { sa: s5 = and s22, 4095 ; sb: s23 = sld [block + 16] }
        { sa: p1 = lt.u32 s22, s23 ; sb: s24 = mov 1 }
        { sa: s6 = sel p1, s24, 0 }
        halt
