# The first row outside VMEM that is below the bound is told; one that is not below it is not looked at.
# expect: trap address_range ld VMEM_ROWS pc here
# expect: v2 = 2
# expect: s5 = 0

        { sa: s6 = mov VMEM_ROWS - 6 ; sb: s7 = mov 7 ; va: v1 = vsublane }
        { va: v2 = vmov 2 ; vb: v3 = vadd.s32 v1, 1 }
        v4 = vldx [s6], v1, s0
        { ld: v4 = vldx [s6 + 1], v3, s7, rows=3 ; sa: s8 = mov 5 }
        v4 = vldx [s6], v3, s8
here:   { ld: v2 = vldx [s6 + 1], v3, s7 ; sa: s5 = mov 1 }
        halt
