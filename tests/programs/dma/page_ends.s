# Forty rows to HBM and back, from every place in front of the end of a 4 KiB page, so that every
# length of a burst is cut by it.
# expect: vmem[100 + r] = r + 1
# expect: vmem[139] = 40
# expect: s4 = 41 * LANES

        .include "common.inc"
        .bss
        .align  4096
target: .space  32768 + 64 * ROW_BYTES
        .text
        { sa: s9 = mov 0 ; sb: s10 = mov 1 }
fill:   { va: v1 = vmov s10 ; sa: s10 = add s10, 1 }
        { st: vst [s9], v1, rows=1 ; sa: s9 = add s9, 1 ; sb: p1 = lt.s32 s9, 39 }
        @p1 br  fill
        describe d0, VMEM_TO_HBM | FLAG, 1, 0, lo(target + 32768 - 40 * ROW_BYTES), 40 * ROW_BYTES
        describe d1, HBM_TO_VMEM | (2 * FLAG), 1, lo(target + 32768 - 40 * ROW_BYTES), 100 * ROW_BYTES, 40 * ROW_BYTES
next:   { dma: copy [d0], s0, s4 ; sa: s5 = add s5, 1 }
        { dma: wait f1, s5 }
        { dma: copy [d1], s4, s0 ; sa: s4 = add s4, LANES ; sb: p1 = lt.s32 s5, 41 }
        { dma: wait f2, s5 }
        @p1 br  next
        halt
