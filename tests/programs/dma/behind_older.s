# Many small copies to SMEM after a large one to HBM: those of its flag end on the chip long before
# they may complete, more of them than can wait there; those of another flag need not wait.
# expect: smem[400 + r] = 100 + r
# expect: smem[400 + 29] = 129
# expect: smem[500] = 100
# expect: f1 = 31
# expect: f2 = 1
# expect: hbm[target + ROW_BYTES * 255] = 3

        .include "common.inc"
        .data
        .align  4
source: numbers 40, 100
        .bss
        .align  4096
target: .space  256 * ROW_BYTES
        .smem
        .align  16
d8:     .space  16
d9:     .space  16
        .text
        { va: v1 = vmov 3 ; sb: s10 = mov 256 }
fill:   { st: vst [s9], v1 ; sa: s9 = add s9, 8 ; sb: p1 = lt.s32 s9, 248 }
        @p1 br  fill
        describe d8, VMEM_TO_HBM | FLAG, 1, 0, lo(target), 256 * ROW_BYTES
        describe d9, HBM_TO_SMEM | (2 * FLAG), 1, lo(source), 2000, 4
        describe d0, HBM_TO_SMEM | FLAG, 1, lo(source), 1600, 4
        p1 = eq s0, s0
        { dma: copy [d8], s0, s0 }
        { dma: copy [d9], s0, s0 }
next:   { dma: copy [d0], s4, s4 ; sa: s4 = add s4, 1 ; sb: p1 = lt.u32 s4, 29 }
        @p1 br  next
        { dma: wait f2, 1 }
        { dma: wait f1, 31 }
        halt
