# A slow load beside a fast store: the load, eight cycles in one bank, sees what was there before
# the store, which overwrites the row that the load reads last, or in its middle.
# expect: v2 = 16 * r + j
# expect: v3 = 16 * r + j
# expect: vmem[56 + r] = 1000
# expect: vmem[160 + r] = 1000

        { va: v1 = vsublane ; vb: v60 = vlane ; sa: s4 = mov 16 ; sb: s5 = mov 1000 }
        { va: v1 = vmul.s32 v1, s4 ; vb: v9 = vmov s5 }
        { va: v1 = vadd.s32 v1, v60 }
        { st: vst [0], v1, stride=8 }
        { st: vst [128], v1, stride=8 }
        { ld: v2 = vld [0], stride=8 ; st: vst [56], v9 }
        { ld: v3 = vld [128], stride=8 ; st: vst [160], v9 }
        halt
