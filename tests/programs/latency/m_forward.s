# A mask used by the very next bundle: by vsel, mask logic, population count, load and store; from
# comparisons and from mask logic, in va and vb.
# expect: v2 = (j & 1) == 1 ? 7 : 0
# expect: m2 = (j & 1) == 0
# expect: s4 = 4 * LANES
# expect: s5 = 1
# expect: v3 = (j & 1) == 1 ? j : 0
# expect: vmem[16 + r] = (j & 1) == 1 ? j : 0
# expect: v4 = (j & 1) == 1 ? 7 : 0
# expect: m3 = (j & 1) == 0
# expect: s6 = 4 * LANES
# expect: s7 = 0
# expect: v5 = (j & 1) == 1 ? 0 : j
# expect: vmem[24 + r] = (j & 1) == 1 ? j : 0
# expect: v6 = 7

        { va: v60 = vlane ; vb: v61 = vmov s0 ; sa: s1 = mov 1 ; sb: s2 = mov 7 }
        { va: v62 = vand v60, s1 ; vb: v63 = vmov s2 }
        { st: vst [8], v60 ; va: m7 = veq.s32 v62, s1 }
        { st: vst [16], v61 }
        { st: vst [24], v61 }
        .macro  stale
        m1 = mand !m0, m0
        .endm
        .macro  compare
        stale
        { va: m1 = veq.s32 v62, s1 }
        .endm
        .macro  logic
        stale
        { vb: m1 = mor m7, m7 }
        .endm

        compare
        { va: v2 = vsel m1, v63, v61 }
        compare
        { vb: m2 = mand !m1, m0 }
        compare
        { va: s4 = mpop m1 ; vb: s5 = mffs m1 }
        compare
        { ld: v3 = vld [8], mask=m1 }
        compare
        { st: vst [16], v60, mask=m1 }
        logic
        { vb: v4 = vsel m1, v63, v61 }
        logic
        { va: m3 = mxor m1, m0 }
        logic
        { va: s6 = mpop m1 ; vb: s7 = mffs !m1 }
        logic
        { ld: v5 = vld [8], mask=!m1 }
        logic
        { st: vst [24], v60, mask=m1 }
        { va: m1 = veq.f32 v62, v61 }           # 1 is a subnormal: equal to zero
        { va: v6 = vsel m1, v63, v61 }
        halt
