# Loads and stores under every mask register, as it is and negated; !m0 is no lane at all.
# expect: vmem[100 + r] = (j == 1) ? 1 : 9
# expect: vmem[108 + r] = (j == 1) ? 9 : 1
# expect: vmem[148 + r] = (j == 7) ? 1 : 9
# expect: vmem[156 + r] = (j == 7) ? 9 : 1
# expect: vmem[164 + r] = 1
# expect: v20 = (j == 7) ? 0 : 1
# expect: v21 = (j == 7) ? 1 : 0
# expect: v22 = 0

        .include "../common.inc"
        { va: v1 = vlane ; vb: v2 = vmov 9 ; sa: s1 = mov 1 ; sb: s7 = mov 7 }
        { va: m1 = veq.s32 v1, s1 ; vb: m7 = veq.s32 v1, s7 }
        { va: v3 = vmov 1 ; sa: s9 = mov 100 }
clear:  { st: vst [s9], v3 ; sa: s9 = add s9, 8 ; sb: p1 = lt.s32 s9, 180 }
        @p1 br  clear
        { st: vst [100], v2, mask=!m1 }
        { st: vst [108], v2, mask=m1 }
        { st: vst [148], v2, mask=!m7 }
        { st: vst [156], v2, mask=m7 }
        { st: vst [164], v2, mask=!m0 }
        { ld: v20 = vld [172], mask=!m7 }
        { ld: v21 = vld [172], mask=m7 }
        { ld: v22 = vld [172], mask=!m0 }
        halt
