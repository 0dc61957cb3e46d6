# Copies of one flag complete in the order of their start: a large store to HBM, then small loads, all
# on f1, waited for one by one; each wait finds its copy's data. A store of another flag between.
# expect: s4 = 40
# expect: s5 = 44
# expect: s6 = 3
# expect: f1 = 3
# expect: f2 = 1
# expect: hbm[target + 4 * LANES * 63] = 63
# expect: hbm[other] = 9

        .include "../common.inc"
        .data
        .align  4
source: .u32    40, 41, 42, 43, 44, 45, 46, 47
        .bss
        .align  4096
target: .space  64 * ROW_BYTES
other:  .space  ROW_BYTES
        .smem
        .align  16
d0:     .space  16
d1:     .space  16
d2:     .space  16
d3:     .space  16
words:  .space  16
        .text
        { sa: s9 = mov 0 ; sb: s10 = mov 64 }
fill:   { va: v1 = vmov s9 }
        { st: vst [s9], v1, rows=1 ; sa: s9 = add s9, 1 ; sb: p1 = lt.s32 s9, 63 }
        @p1 br  fill
        { va: v1 = vmov 9 ; vb: v2 = vmov 63 }
        { st: vst [70], v1, rows=1 }
        { st: vst [63], v2, rows=1 }
        describe d0, VMEM_TO_HBM | FLAG, 1, 0, lo(target), ROW_BYTES, 64, ROW_BYTES, ROW_BYTES
        describe d1, HBM_TO_SMEM | FLAG, 1, lo(source), 4 * words, 16
        describe d2, HBM_TO_SMEM | FLAG, 1, lo(source + 16), 4 * words + 16, 16
        describe d3, VMEM_TO_HBM | (2 * FLAG), 1, 70 * ROW_BYTES, lo(other), 4
        { dma: copy [d0], s0, s0 ; sa: s11 = mov 1 }
        { dma: copy [d1], s0, s0 }
        { dma: copy [d3], s0, s0 }
        { dma: copy [d2], s0, s0 }
        { dma: wait f1, s11 }
        { dma: wait f[s11], 2 }                     # one register for the flag, f1 here
        { sb: s4 = sld [words] }
        { dma: wait f[s11], 3 }
        { sb: s5 = sld [words + 4] }
        { dma: wait f[s11 + 1], 1 ; sa: s6 = mov 3 }
        halt
