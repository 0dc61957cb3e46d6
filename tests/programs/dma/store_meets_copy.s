# A store to lanes of rows whose other lanes a copy writes, in all cycles around the copy's: both arrive.
# expect: v3 = j < 2 ? 300 + 2 * r + j : 99
# expect: s4 = 100

        .include "common.inc"
        .data
        .align  4
source: numbers 16, 300
        .text
        describe d0, HBM_TO_VMEM | FLAG, 1, lo(source), 0, 8, n1=8, s1=8, d1=ROW_BYTES
        v1 = vlane
        { va: m1 = vle.s32 v1, 1 ; vb: v2 = vmov 0 }
        { va: m1 = mand !m1, m0 ; st: vst [0], v2 }
next:   { dma: copy [d0], s0, s0 }
        { sa: idle s4 }
        { st: vst [0], v2, mask=m1 ; va: v2 = vadd.s32 v2, 1 ; sa: s4 = add s4, 1 ; sb: p1 = lt.s32 s4, 99 }
        { dma: wait f1, 1 }
        { ld: v3 = vld [0] ; dma: fset f1, 0 ; sa: @p1 br next }
        halt
