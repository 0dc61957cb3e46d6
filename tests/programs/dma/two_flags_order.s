# A copy of version 1 completes in order for both flags: after an older one of either, and a younger
# one of either after it. A large store to HBM on f1, then a load on f1 and f2 that ends long before,
# then one on f2 alone.
# expect: s4 = 1
# expect: s5 = 40
# expect: s6 = 44
# expect: f1 = 0x11
# expect: f2 = 0x22
# expect: hbm[target + 4 * LANES * 63] = 63

        .include "common.inc"
        .data
        .align  4
source: numbers 8, 40
        .bss
        .align  4096
target: .space  64 * ROW_BYTES
        .text
        { va: v1 = vmov 63 ; sa: s9 = mov 0 }
        clear   0, 10
        { st: vst [63], v1, rows=1 }
        describe d0, VMEM_TO_HBM | FLAG, 1, 0, lo(target), ROW_BYTES, 64, ROW_BYTES, ROW_BYTES
        describe d1, HBM_TO_VMEM | FLAG | 1, 0x10 | (2 << 16) | (2 << 24), lo(source), 64 * ROW_BYTES, 16
        describe d2, HBM_TO_VMEM | (2 * FLAG), 0x20, lo(source + 16), 65 * ROW_BYTES, 16
        { dma: copy [d0], s0, s0 }
        { dma: copy [d1], s0, s0 }
        { dma: copy [d2], s0, s0 }
        { dma: wait f2, 1 }
        { sa: s4 = mov 1 }
        { dma: wait f2, 0x22 }
        { dma: wait f1, 0x11 }
        { ld: v2 = vld [64] }
        { xu: s5 = extract v2, 0 }
        { ld: v3 = vld [65] }
        { xu: s6 = extract v3, 0 }
        halt
