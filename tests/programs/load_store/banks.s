# Rows of one bank (row mod 8), all distinct or all the same, loads and stores; then loads that
# follow at once. Independent of the time, the contents are these.
# expect: v2 = 16 * r + j
# expect: v3 = 16 * 3 + j
# expect: v4 = 16 * (r / 2 * 2) + j
# expect: v5 = 16 * (7 - r) + j
# expect: v6 = 2 * (16 * r + j)
# expect: vmem[8 * r] = 16 * r + j
# expect: vmem[128 + 16 * r] = 16 * r + j
# expect: vmem[300 + 4 * r] = 16 * r + j

        { va: v1 = vsublane ; vb: v60 = vlane ; sa: s4 = mov 16 ; sb: s5 = mov 56 }
        { va: v1 = vmul.s32 v1, s4 }
        { va: v1 = vadd.s32 v1, v60 }
        { st: vst [0], v1, stride=8 }
        { ld: v2 = vld [0], stride=8 ; st: vst [128], v1, stride=16 }
        { ld: v3 = vld [24], stride=0 ; st: vst [300], v1, stride=4 }
        { ld: v4 = vld [300], stride=4 ; va: v6 = vadd.s32 v2, v2 }
        { ld: v5 = vld [s5], stride=-8 ; va: v7 = vmov v4 ; vb: v8 = vbcast.sub v4, 2 }
        { va: v9 = vsublane ; sa: s6 = mov 1 }
        { va: v9 = vand v9, s6 }
        { va: m1 = vne.s32 v9, s0 ; vb: v10 = vrot.sub v7, 1 }
        { va: v4 = vsel m1, v10, v7 }
        halt
