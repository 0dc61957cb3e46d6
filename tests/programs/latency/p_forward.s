# A predicate used by the very next bundle: as the predicate of each slot, and as an operand.
# expect: s2 = 2
# expect: s3 = 3
# expect: v1 = 7
# expect: v2 = 7
# expect: v3 = 5
# expect: vmem[8 + r] = 7
# expect: a0 = LANES
# expect: v4 = 7
# expect: f1 = 1
# expect: s4 = 7
# expect: p3 = 1
# expect: s5 = 5
# expect: s6 = 0

        { sa: s1 = mov 1 ; sb: s7 = mov 7 }
        { va: v60 = vmov s0 ; vb: v61 = vmov s1 ; sa: s8 = mov 5 }
        { va: v62 = vmov s8 ; vb: v63 = vmov s7 }
        { st: vst [0], v62 }
        { st: vst [8], v60 }
        .rept   LANES / 8, i
        mxpush  8 * \i, v61.b0
        .endr
        { mx: mxmul.s8 a0, v60.b0, swap }
        .macro  produce
        p1 = ne s0, s0
        { sa: p1 = eq s1, 1 ; sb: p2 = eq s1, 0 }
        .endm

        produce
        { sa: @p1 s2 = mov 2 ; sb: @!p2 s3 = mov 3 }
        produce
        { sa: @p2 br wrong ; va: @p1 v1 = vmov s7 ; vb: @!p2 v2 = vmov s7 }
        produce
        { sa: @!p1 br wrong ; ld: @p1 v3 = vld [0] ; st: @!p2 vst [8], v63 }
        produce
        { sb: @p2 sst [0], s1 ; mx: @p1 mxmul.s8 a0, v61.b0 ; xu: @!p2 v4 = lmax.s32 v63 ; dma: @p1 fadd f1, 1 }
        produce
        { sa: s4 = sel p1, s7, s8 ; sb: p3 = pand p1, !p2 }
        produce
        { sa: @p1 br right ; sb: @!p2 s5 = mov 5 }
wrong:  s6 = mov 99
right:  halt
