# An indexed store that leaves VMEM in one of its rows writes none.
# expect: trap address_range st VMEM_ROWS pc here
# expect: vmem[VMEM_ROWS - 1] = 1
# expect: s5 = 0

        { sa: s6 = mov VMEM_ROWS - 7 ; sb: s7 = mov 7 ; va: v3 = vsublane }
        { va: v1 = vmov 1 ; vb: v2 = vlane ; sa: s8 = mov 8 }
        { st: vstx [s6], v1, v3, s7 }
        { st: @p1 vstx [s6], v2, v3, s8 }       # not done
here:   { st: vstx [s6], v2, v3, s8 ; sa: s5 = mov 1 }
        halt
