# Many runs of one beat, more than the engine has in flight: the same row again and again, a tile of
# rows over and over, and rows back to HBM at a pitch, queued after each other.
# expect: s4 = 300
# expect: s5 = 300 + 7 * LANES
# expect: s6 = 300 + 2 * LANES
# expect: hbm[back + 60 * 2 * ROW_BYTES] = 300, 301
# expect: hbm[back + 61 * 2 * ROW_BYTES] = 300

        .include "common.inc"
        .data
        .align  4096
source: numbers 8 * LANES, 300
        .bss
        .align  4096
back:   .space  64 * 2 * ROW_BYTES
        .text

        describe d0, HBM_TO_VMEM | FLAG, 1, lo(source), 0, ROW_BYTES, n1=100, s1=0, d1=ROW_BYTES
        describe d1, HBM_TO_VMEM | FLAG, 1, lo(source), 104 * ROW_BYTES, ROW_BYTES, n1=8, s1=ROW_BYTES, d1=ROW_BYTES, n2=12, s2=0, d2=8 * ROW_BYTES
        describe d2, VMEM_TO_HBM | FLAG, 1, 0, lo(back), ROW_BYTES, n1=64, s1=ROW_BYTES, d1=2 * ROW_BYTES
        { dma: copy [d0], s0, s0 }
        { dma: copy [d1], s0, s0 }
        { dma: wait f1, 2 }
        copy_and_wait d2, 3
        s7 = mov 99
        s8 = mov 104 + 95
        s9 = mov 104 + 8 + 2
        { ld: v1 = vld [s7], rows=1 }
        { ld: v2 = vld [s8], rows=1 }
        { ld: v3 = vld [s9], rows=1 }
        { xu: s4 = extract v1, 0 }
        { xu: s5 = extract v2, 0 }
        { xu: s6 = extract v3, 0 }
        halt
