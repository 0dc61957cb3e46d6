# Units capture their operands at issue: the next bundle may overwrite them.
# expect: v2 = 1.0
# expect: v3 = 5
# expect: vmem[8 * r] = 5
# expect: a0 = 5 * LANES
# expect: a1 = 25 * LANES
# expect: a2 = 5 * LANES
# expect: v4 = j
# expect: s4 = 5
# expect: smem[100] = 5
# expect: v5 = 5

        { sa: s5 = mov 5 ; sb: s1 = mov 1 ; va: v60 = vlane }
        { va: v1 = vmov s0 ; vb: v61 = vmov s1 }
        { xu: v2 = exp2 v1 }
        { va: v1 = vmov s5 }
        { xu: v3 = lmax.s32 v1 }
        { va: v1 = vmov s0 }
        v1 = vmov s5
        { st: vst [0], v1, stride=8 }
        { va: v1 = vmov s0 }
        v1 = vmov s5
        .rept   LANES / 8, i
        { mx: mxpush 8 * \i, v1.b0 }
        { va: v1 = vmov s0 }
        { va: v1 = vmov s5 }
        .endr
        { mx: mxmul.s8 a0, v61.b0, swap }
        { va: v61 = vmov s0 }
        { mx: mxmul.s8 a1, v1.b0 }
        { va: v1 = vmov s0 }
        { va: v61 = vmov s1 ; vb: v1 = vmov s5 }
        { mx: mxmul.s8 a2, v61.b0 }
        { xu: v4 = lperm v60, v60 ; va: v61 = vmov s0 }
        { va: v60 = vmov s0 }
        { xu: s4 = extract v1, 9 }
        { va: v1 = vmov s0 ; sa: s6 = mov 5 }
        { sb: sst [100], s6 ; sa: s6 = mov 0 }
        { ld: v5 = vld [s6], stride=8 ; sa: s6 = mov 99 }
        { st: vst [64], v1 ; sa: s6 = mov 0 }
        halt
