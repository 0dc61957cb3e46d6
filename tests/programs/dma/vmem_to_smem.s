# A copy from VMEM to SMEM.
# expect: smem[300] = 0, 0x81020305, 0x82040609, 0x8306090d, 0x84080c11, 0x850a0f15, 0x860c1219, 0x870e151d, 0x88101821, 0x89121b25, 0

        .include "common.inc"
        .include "../numbered.inc"
        vst     [0], v1
        describe d0, VMEM_TO_SMEM | FLAG, 1, 4, 1204, 36
        copy_and_wait d0, 1
        halt
