# A store into the destination of a copy in flight.
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
        describe d0, HBM_TO_VMEM | FLAG, 1, lo(source), 4, 8
        { dma: copy [d0], s0, s0 }
here:   { st: vst [0], v2, rows=1 }
        halt
