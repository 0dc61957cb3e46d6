# Amounts 1 and 4: a wait for 2 proves both, since the first alone would not do.
# expect: s4 = 40
# expect: s5 = 40
# expect: smem[225] = 40

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
        describe d0, HBM_TO_SMEM | FLAG, 4, lo(source), 800, 8
        describe d1, HBM_TO_SMEM | FLAG, 1, lo(source), 900, 8
        { dma: copy [d1], s0, s0 }
        { dma: copy [d0], s0, s0 }
        { dma: wait f1, 2 }
        { sb: s4 = sld [200] }
        { sb: s5 = sld [225] }
        halt
