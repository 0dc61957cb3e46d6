# Reading the source of a copy in flight is no race; nor is a second copy from there.
# expect: hbm[target] = 0, 0, 0, 0
# expect: v3 = 0
# expect: f1 = 2

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
        describe d0, VMEM_TO_HBM | FLAG, 1, 4, lo(target), 8
        { dma: copy [d0], s0, s0 }
        { ld: v3 = vld [0], rows=1 }
        s4 = mov 2
        { dma: copy [d0], s0, s4 }
        { dma: wait f1, 2 }
        halt
