# Moves keep the mark without a report: mov, select, rotates, broadcast, load, store, permute.
# expect: uninitialised pc here

        { va: v1 = vlane ; sa: s4 = mov 1 }
        { va: v2 = vmov v9 ; vb: v3 = vsel m0, v1, v9 }
        { va: v4 = vrot.sub v2, 1 ; vb: v5 = vbcast.sub v9, 3 }
        { xu: v6 = lrot v4, 1 ; st: vst [0], v9 }
        { xu: v7 = lperm v6, v1 ; ld: v8 = vld [0] }
        { xu: v10 = lbcast v7, 0 }
        { xu: v11 = transpose v10 }
        v12 = vadd.s32 v3, v3                   # every element came from v1
here:   { va: v13 = vmul.f32 v11, s4 }
        halt
