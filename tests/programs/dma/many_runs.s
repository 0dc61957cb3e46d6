# More runs than the engine keeps in flight, which the reader finds faster than the mover moves them:
# rows of VMEM, each across two beats of HBM.
# expect: hbm[back + 4] = 0, 0
# expect: hbm[back + 4 + 63 * 2 * ROW_BYTES] = 63, 63
# expect: hbm[back + 4 + 64 * 2 * ROW_BYTES] = 64, 64
# expect: hbm[back + 4 + 65 * 2 * ROW_BYTES] = 65, 65
# expect: hbm[back + 4 + 130 * 2 * ROW_BYTES] = 130, 130
# expect: hbm[back + 4 + 199 * 2 * ROW_BYTES] = 199, 199
# expect: hbm[back + 200 * 2 * ROW_BYTES] = 0

        .include "common.inc"
        .bss
        .align  4096
back:   .space  202 * 2 * ROW_BYTES
        .text
        { va: v1 = vsublane }
fill:   { st: vst [s9], v1 ; sa: s9 = add s9, 8 ; va: v1 = vadd.s32 v1, 8 ; sb: p1 = lt.s32 s9, 192 }
        @p1 br  fill
        describe d0, VMEM_TO_HBM | FLAG, 1, 0, lo(back + 4), ROW_BYTES, n1=200, s1=ROW_BYTES, d1=2 * ROW_BYTES
        copy_and_wait d0, 1
        halt
