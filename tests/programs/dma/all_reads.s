# As many reads of one beat in flight as there may be, while a branch to far away asks for its line.
# expect: vmem[64][0] = 0
# expect: vmem[64][7] = 0
# expect: vmem[599][0] = 0
# expect: s4 = 5

        .include "common.inc"
        .data
        .align  4096
source: .rept   LANES * 256, i
        .u32    \i % LANES
        .endr
        .text
        describe d0, HBM_TO_VMEM | FLAG, 1, lo(source), 64 * ROW_BYTES, 4, n1=200, s1=ROW_BYTES, d1=4
        describe d1, HBM_TO_VMEM | FLAG, 1, lo(source), 400 * ROW_BYTES, 4, n1=200, s1=ROW_BYTES, d1=ROW_BYTES
        { dma: copy [d0], s0, s0 }
        { dma: copy [d1], s0, s0 }
        { idle 70 }
        br      away
back:   { dma: wait f1, 2 }
        halt
        .rept   200
        { s4 = mov 1 }
        .endr
away:   { s4 = mov 5 }
        br      back
