# A store that leaves VMEM in its last row writes none of its rows.
# expect: trap address_range st VMEM_ROWS pc here
# expect: vmem[VMEM_ROWS - 1] = 1
# expect: s5 = 0

        { sa: s6 = mov VMEM_ROWS - 7 ; sb: s7 = mov 1 }
        { va: v1 = vmov s7 ; vb: v2 = vlane }
        { st: vst [s6], v1, rows=7 }
        { st: @p1 vst [s6], v2 }                # not done
here:   { st: vst [s6], v2 ; sa: s5 = mov 1 }
        halt
