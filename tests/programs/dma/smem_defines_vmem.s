# What comes from SMEM counts as written, also where VMEM was not: loads of it are no mistake.
# expect: v3[0][0] = 11

        .include "common.inc"
        .smem
        .align  16
source: .space  LANES
        .text
        describe d0, SMEM_TO_VMEM | FLAG, 1, 4 * source, 0, ROW_BYTES
        put     source, 11
        copy_and_wait d0, 1
        { ld: v3 = vld [0], rows=1 }
        { va: v4 = vadd.s32 v3, 0 }
        halt
