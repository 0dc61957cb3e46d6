# ssti: base and offset of both signs, wrap-around of their sum, first and last word, a load right
# after the store, reals and addresses of the linker, s0, predicates.
# expect: smem[0] = 0x11111111
# expect: smem[5] = -3, 0x22222222
# expect: smem[7] = 0x40490fdb
# expect: smem[8] = 0
# expect: smem[9] = lo(table)
# expect: smem[10] = 99
# expect: smem[SMEM_WORDS - 1] = 0x33333333
# expect: smem[16] = 77
# expect: s4 = 0x11111111
# expect: s5 = 0x22222222
# expect: s6 = 0x33333333

        .data
        .align  4
table:  .u32    1
        .text

        { sa: s12 = mov 10 ; sb: s13 = mov SMEM_WORDS - 1 }
        ssti    [0], 0x11111111
        { sb: s4 = sld [0] ; sa: s14 = mov 0xfffffff0 }
        { sb: ssti [s12 - 5], -3 }
        { sb: ssti [s12 - 4], 0x22222222 }
        { sb: s5 = sld [6] }
        ssti    [s13], 0x33333333
        { sb: s6 = sld [s13] }
        { sb: ssti [s14 + 23], 3.14159265 ; sa: s14 = mov 0 }    # 2^32 - 16 + 23 = 7
        { sb: @p1 ssti [8], 8 }
        { sb: @!p1 ssti [s12], 99 }
        { sb: ssti [9], lo(table) }
        s15 = mov SMEM_WORDS
        { sb: ssti [s15 - SMEM_WORDS + 16], 77 }
        halt
