# mxmul.bf16 of the NaN next to infinity, which only halves of a register bring, as x and as weight.
# expect: a0[0] = 0x7fc00000
# expect: a1[0] = 0x7fc00000

        .include "../common.inc"
        .include "common.inc"
        .text
        { va: v1 = vmov 0x7f817f81 ; vb: v2 = vmov 0x3f800000 }
        push_zeros
        { mx: mxpush 0, v2.f32 }
        { mx: mxmul.bf16 a0, v1.lo, rows=1, swap }
        push_zeros
        { mx: mxpush 0, v1.hi }
        { mx: mxmul.bf16 a1, v2.f32, rows=1, swap }
        halt
