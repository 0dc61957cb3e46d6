# The first enabled row outside VMEM is reported, although an earlier slot has no complaint.
# expect: trap address_range ld VMEM_ROWS pc here
# expect: v2 = 2
# expect: s5 = 0

        { sa: s6 = mov VMEM_ROWS - 6 ; sb: s7 = mov 2 }
        v2 = vmov s7
        { ld: @p1 v2 = vld [s6] }               # not done
here:   { ld: v2 = vld [s6], stride=2 ; sa: s5 = mov 1 }
        halt
