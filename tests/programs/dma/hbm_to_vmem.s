# A copy from HBM to VMEM: whole rows, and words that begin and end inside a row and a beat.
# expect: vmem[r] = 1000 + r * LANES + j
# expect: vmem[8 + r] = r * LANES + j >= 3 && r * LANES + j < 3 + 2 * LANES + 6 ? 1001 + r * LANES + j - 3 : 0
# expect: vmem[16] = j == LANES - 1 ? 1005 : 0
# expect: f1 = 3

        .include "common.inc"
        .data
        .align  4096
source: numbers 8 * LANES, 1000
        .text

        clear   8, 2
        describe d0, HBM_TO_VMEM | FLAG, 1, lo(source), 0, 8 * ROW_BYTES
        copy_and_wait d0, 1
        describe d0, HBM_TO_VMEM | FLAG, 1, lo(source + 4), 8 * ROW_BYTES + 12, 2 * ROW_BYTES + 24
        copy_and_wait d0, 2
        describe d0, HBM_TO_VMEM | FLAG, 1, lo(source + 20), 16 * ROW_BYTES + ROW_BYTES - 4, 4
        copy_and_wait d0, 3
        halt
