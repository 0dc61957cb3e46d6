# A copy to HBM may end where the text begins, and read the text itself.
# expect: hbm[0xffe0] = 0, 0, 0, 0, 0, 0, 0, 77
# expect: smem[400] = 77

        .include "common.inc"
        .smem
words:  .space  8
        .text
        put     words + 7, 77
        describe d0, SMEM_TO_HBM | FLAG, 1, 4 * words, 0xffe0, 32
        copy_and_wait d0, 1
        describe d0, HBM_TO_SMEM | FLAG, 1, 0xfffc, 1600, 8
        copy_and_wait d0, 2
        halt
