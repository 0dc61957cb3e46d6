# tanh from 1 on, where the last bit of the result follows from the last one of the place in its
# segment: one input in seventy. Both signs; values by the definition in docs/numerics.md.
# expect: v2[r] = 0x3f42f7dd, 0x3f437452, 0x3f43f163, 0x3f446d62, 0xbf44e967, 0xbf4565bf, 0xbf45e0c3, 0xbf4655ff

        .include "../common.inc"
        .data
x:      .rept   8
        cells   0x3f800009, 0x3f8094b9, 0x3f812b2e, 0x3f81c167, 0xbf8258b8, 0xbf82f184, 0xbf8389c5, 0xbf841be5
        .endr
        .text

        fetch   x, 0, 8
        { ld: v1 = vld [0] }
        { xu: v2 = tanh v1 }
        halt
