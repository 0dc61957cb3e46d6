# The last vector register from every unit whose result comes late, read by the very next bundle.
# expect: v1 = 1.0
# expect: v2 = 2.0
# expect: v3 = 7
# expect: v4 = 14
# expect: v5 = 0
# expect: v6 = 1
# expect: v63 = 0

        { va: v10 = vmov 0 ; vb: v11 = vmov 7 }
        { xu: v63 = exp2 v10 }
        { va: v1 = vmov v63 ; vb: v2 = vadd.f32 v63, v63 }
        { xu: v63 = lrot v11, 1 }
        { va: v3 = vmov v63 ; vb: v4 = vadd.s32 v63, v63 }
        { st: vst [0], v10 }
        { ld: v63 = vld [0] }
        { va: v5 = vmov v63 ; vb: v6 = vadd.s32 v63, 1 }
        halt
