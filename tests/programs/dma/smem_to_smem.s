# A copy within SMEM.
# expect: smem[300] = 0, 11, 22, 33, 0

        .include "common.inc"
        describe d0, SMEM_TO_SMEM | FLAG, 1, 800, 1204, 12
        put     200, 11
        put     201, 22
        put     202, 33
        copy_and_wait d0, 1
        halt
