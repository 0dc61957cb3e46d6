# An SMEM load of the destination of a copy in flight.
# expect: race pc here

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
here:   { sb: s4 = sld [201] }
        halt
