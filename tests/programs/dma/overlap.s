# Work goes on while copies fly: loads and stores of other rows, arithmetic, a copy in each direction.
# expect: vmem[r] = 1000 + r * LANES + j
# expect: vmem[8 + r] = lo(0x01020304 * (r * LANES + j) + 0x80000001)
# expect: hbm[target] = 0x80000001, 0x81020305
# expect: v2 = lo(2 * (0x01020304 * (r * LANES + j) + 0x80000001))
# expect: s4 = 100

        .include "common.inc"
        .include "../numbered.inc"
        .data
        .align  4096
source: numbers 8 * LANES, 1000
        .bss
        .align  4096
target: .space  8 * ROW_BYTES
        .text

        describe d0, HBM_TO_VMEM | FLAG, 1, lo(source), 0, 8 * ROW_BYTES
        describe d1, VMEM_TO_HBM | (2 * FLAG), 1, 8 * ROW_BYTES, lo(target), 8 * ROW_BYTES
        { st: vst [8], v1 ; dma: copy [d1], s0, s0 }    # copies the data that this bundle stores
        { dma: copy [d0], s0, s0 ; ld: v3 = vld [8] }
        { va: v2 = vadd.s32 v3, v1 ; st: vst [16], v1 }
count:  { sa: s4 = add s4, 1 ; sb: p1 = lt.s32 s4, 99 ; ld: v4 = vld [8] }
        @p1 br  count
        { dma: wait f1, 1 }
        { dma: wait f2, 1 ; st: vst [8], v1 }
        halt
