# A halt waits for the copies in flight: without any wait, their bytes and flags are in place at the end.
# expect: hbm[target] = 0x80000001, 0x81020305, 0x82040609
# expect: smem[200] = 1000, 1001
# expect: f1 = 1
# expect: f2 = 1

        .include "common.inc"
        .include "../numbered.inc"
        .data
        .align  4
source: numbers 4, 1000
        .bss
        .align  4096
target: .space  8 * ROW_BYTES
        .text

        vst     [8], v1
        describe d0, HBM_TO_SMEM | FLAG, 1, lo(source), 800, 8
        describe d1, VMEM_TO_HBM | (2 * FLAG), 1, 8 * ROW_BYTES, lo(target), 8 * ROW_BYTES
        { dma: copy [d1], s0, s0 }
        { dma: copy [d0], s0, s0 ; sa: halt }
