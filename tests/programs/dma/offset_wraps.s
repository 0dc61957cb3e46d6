# Address and offset are added in 64 bits: just below 2^64, an offset leads to the beginning of HBM.
# expect: smem[200] = 43

        .include "common.inc"
        .data
        .align  4
source: numbers 4, 40
        .text

        describe d0, HBM_TO_SMEM | FLAG, 1, -4, 800, 4
        put     d0 + 3, -1
        s4 = mov lo(source)
        s4 = shr s4, 2
        s4 = add s4, 4
        copy_and_wait d0, 1, s4, s0
        halt
