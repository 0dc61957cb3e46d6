# sld and sst: base and offset of both signs, wrap-around of their sum, first and last word, a load
# right after the store, s0, predicates.
# expect: s4 = 0x11111111
# expect: s5 = 0x22222222
# expect: s6 = 0x33333333
# expect: s7 = 0x22222222
# expect: s8 = 8
# expect: s9 = 0x11111111
# expect: s10 = 0
# expect: s11 = 0x11111112
# expect: s0 = 0
# expect: smem[0] = 0x11111111
# expect: smem[5] = 0x22222222
# expect: smem[6] = 0, 0x22222222
# expect: smem[SMEM_WORDS - 1] = 0x33333333
# expect: smem[20] = 0x22222222

        { sa: s1 = mov 0x11111111 ; sb: s2 = mov 0x22222222 }
        { sa: s3 = mov 0x33333333 ; sb: s12 = mov 10 }
        sst     [0], s1
        { sb: s4 = sld [s0] ; sa: s13 = mov SMEM_WORDS - 1 }
        sst     [s12 - 5], s2
        { sb: s5 = sld [s0 + 5] }
        sst     [s13], s3
        { sb: s6 = sld [s13] ; sa: s14 = mov 0xfffffff0 }
        { sb: s7 = sld [s14 + 21] ; sa: s8 = mov 8 }   # 2^32 - 16 + 21 = 5
        { sb: @p1 s8 = sld [0] }
        { sb: @!p1 s9 = sld [s12 - 10] }
        { sb: s11 = sld [0] }
        s11 = add s11, 1                               # right after the load
        { sb: s0 = sld [5] }
        { sb: @p1 sst [6], s1 ; sa: s2 = mov 0 }
        { sb: @!p1 sst [s12 - 3], s5 }
        { sb: s10 = sld [6] }
        { sb: sst [s12 + 10], s7 ; sa: s7 = mov s7 }
        halt
