# Copies within VMEM: whole rows, and shifted by a word.
# expect: vmem[8 + r] = lo(0x01020304 * (r * LANES + j) + 0x80000001)
# expect: vmem[16 + r] = r * LANES + j < 1 || r * LANES + j > 2 * LANES ? 0 : lo(0x01020304 * (r * LANES + j + 1) + 0x80000001)

        .include "common.inc"
        .include "../numbered.inc"
        clear   16, 1
        vst     [0], v1
        describe d0, VMEM_TO_VMEM | FLAG, 1, 0, 8 * ROW_BYTES, 8 * ROW_BYTES
        copy_and_wait d0, 1
        describe d0, VMEM_TO_VMEM | FLAG, 1, 8, 16 * ROW_BYTES + 4, 2 * ROW_BYTES
        copy_and_wait d0, 2
        halt
