# A copy from HBM to SMEM, and its words read immediately.
# expect: smem[100] = 0, 500, 501, 502, 503, 504, 505, 506, 507, 508, 509, 510, 511, 512, 513, 514, 515, 0
# expect: s4 = 500
# expect: s5 = 515

        .include "common.inc"
        .data
        .align  4
        .u32    1
source: numbers 16, 500
        .text

        describe d0, HBM_TO_SMEM | FLAG, 1, lo(source), 404, 64
        copy_and_wait d0, 1
        { sb: s4 = sld [101] }
        { sb: s5 = sld [116] }
        halt
