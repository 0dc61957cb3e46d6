# A copy from SMEM to VMEM.
# expect: vmem[0] = j == LANES - 2 ? 11 : j == LANES - 1 ? 22 : 0
# expect: vmem[1] = j == 0 ? 33 : 0

        .include "common.inc"
        clear   0, 1
        describe d0, SMEM_TO_VMEM | FLAG, 1, 800, ROW_BYTES - 8, 12
        put     200, 11
        put     201, 22
        put     202, 33
        copy_and_wait d0, 1
        halt
