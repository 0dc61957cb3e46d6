# An SMEM load of the word beside it is no race; after the wait the words are there.
# expect: s4 = 0
# expect: s5 = 41

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
        describe d0, HBM_TO_SMEM | FLAG, 1, lo(source), 800, 8
        { dma: copy [d0], s0, s0 }
        { sb: s4 = sld [202] }
        { dma: wait f1, 1 }
        { sb: s5 = sld [201] }
        halt
