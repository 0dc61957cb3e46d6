# A load of the other lanes of that row touches nothing of the copy.
# expect: v3 = 0
# expect: v4[0][1] = 40
# expect: s4 = 1

        .include "../common.inc"
        .data
        .align  4
source: .u32    40, 41, 42, 43
        .bss
        .align  4
target: .space  64
        .smem
        .align  16
d0:     .space  16
d1:     .space  16
        .text
        { va: v1 = vmov s0 ; vb: v2 = vlane }
        { st: vst [0], v1 }
        { st: vst [8], v1 }
        { va: m1 = veq.s32 v2, s0 ; sa: s4 = mov 1 }
        describe d0, HBM_TO_VMEM | FLAG, 1, lo(source), 4, 8
        { dma: copy [d0], s0, s0 }
        { ld: v3 = vld [0], rows=1, mask=m1 ; st: vst [1], v2, rows=7 }
        { dma: wait f1, 1 }
        { ld: v4 = vld [0], rows=1 }
        halt
