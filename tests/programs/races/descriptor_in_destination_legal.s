# A descriptor that a copy in flight mends: before the copy its words would trap.
# expect: race pc here

        .include "../common.inc"
        .data
        .align  4
source: .u32    1
        .smem
        .align  16
d0:     .space  16
d1:     .space  16
        .text
        describe d0, HBM_TO_SMEM | FLAG, 1, lo(source), 4 * d1 + 4, 4
        describe d1, HBM_TO_SMEM | FLAG, 0, lo(source), 800, 4
        { dma: copy [d0], s0, s0 }
here:   { dma: copy [d1], s0, s0 }
        halt
