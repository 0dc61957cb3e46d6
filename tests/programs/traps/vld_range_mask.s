# A row without a mask bit is not asked for; the first with one is.
# expect: trap address_range ld VMEM_ROWS+3 pc here

        { va: v10 = vsublane ; vb: v11 = vlane ; sa: s4 = mov 5 ; sb: s5 = mov VMEM_ROWS - 2 }
        { va: m1 = veq.s32 v10, s4 ; vb: m2 = veq.s32 v11, s0 }
        { va: m1 = mand m1, m2 }
        { va: m3 = mand !m1, m1 }
        { ld: v2 = vld [s5], mask=m3 }
here:   { ld: v2 = vld [s5], mask=m1 }
        halt
