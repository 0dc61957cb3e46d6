# Every instruction beside short copies that complete all the time, in a loop that shifts against them; at the
# end a halt in the cycle of a completion, the one after another's.
# expect: s5 = 31
# expect: f2 = 1

        .include "../common.inc"
        .include "every.inc"
        .smem
        .align  16
d0:     .space  16
d1:     .space  16
d2:     .space  16
        .bss
target: .space  4096
        .text

        describe d0, SMEM_TO_SMEM | FLAG, 1, 8192, 12288, 4
        describe d1, SMEM_TO_HBM | (2 * FLAG), 1, 8192, lo(target), 4
        describe d2, SMEM_TO_HBM | (3 * FLAG), 1, 8192, lo(target + 2048), 4
        prepare
        { sa: s5 = mov 0 ; sb: s8 = mov 4 }
        s7 = mov 0
        .macro  two_copies
        { dma: copy [d0], s0, s7 ; sa: s7 = add s7, s8 }
        { dma: copy [d0], s0, s7 ; sa: s7 = add s7, s8 ; sb: s6 = and s5, 15 }
        idle    s6
        .endm

again:  s5 = add s5, 1
        two_copies
        every_scalar
        every_vector
        every_memory
        two_copies
        every_eup
        two_copies
        every_lane
        two_copies
        every_sublane
        p3 = lt.s32 s5, 31
        @p3 br  again
        { dma: wait f1, 248 }
        { dma: fset f1, 0 ; sa: s7 = mov 0 }
# What takes long is met by few completions: again by itself.
lanes:  s9 = add s9, 1
        { dma: copy [d0], s0, s7 ; sa: s7 = add s7, s8 }
        { dma: copy [d0], s0, s7 ; sa: s7 = add s7, s8 ; sb: s6 = and s9, 15 }
        idle    s6
        .rept   3
        cross   lmax.f32
        .endr
        p3 = lt.s32 s9, 31
        @p3 br  lanes
        { dma: wait f1, 62 }
        { dma: copy [d1], s0, s0 }
        { dma: copy [d2], s0, s0 }
        { dma: wait f2, 1 ; sa: halt }
