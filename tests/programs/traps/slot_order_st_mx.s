# A store outside VMEM and an accumulator out of range in one bundle: the store comes first.
# expect: trap address_range st VMEM_ROWS pc here

        s4 = mov VMEM_ROWS
here:   { st: vst [s4], v2 ; mx: v1 = mxread a[s4 + 64] }
        halt
