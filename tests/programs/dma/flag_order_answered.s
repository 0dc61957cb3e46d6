# Copies of one flag complete in the order of their start: a large load from HBM, then two small stores,
# both answered before it ends. The first store waits for the load, and the answer of the second
# does not let it go.
# expect: f1 = 0x31
# expect: s5 = 49
# expect: hbm[near] = 9
# expect: hbm[far] = 9

        .include "../common.inc"
        .bss
        .align  4096
source: .space  256 * ROW_BYTES
near:   .space  ROW_BYTES
far:    .space  ROW_BYTES
        .smem
        .align  16
d0:     .space  16
d1:     .space  16
d2:     .space  16
        .text
        { va: v1 = vmov 9 }
        { st: vst [300], v1, rows=1 }
        describe d0, HBM_TO_VMEM | FLAG, 1, lo(source), 0, ROW_BYTES, 256, ROW_BYTES, ROW_BYTES
        describe d1, VMEM_TO_HBM | FLAG, 0x10, 300 * ROW_BYTES, lo(near), 4
        describe d2, VMEM_TO_HBM | FLAG, 0x20, 300 * ROW_BYTES, lo(far), 4
        { dma: copy [d0], s0, s0 }
        { dma: copy [d1], s0, s0 }
        { dma: copy [d2], s0, s0 }
        { dma: wait f1, 0x1 }
        { dma: wait f1, 0x31 ; sa: s5 = mov 49 }
        halt
