# A load and a store outside VMEM, the first row of the store lower: the load is reported.
# expect: trap address_range ld VMEM_ROWS+9 pc here

        s4 = mov VMEM_ROWS
here:   { ld: v1 = vld [s4 + 9] ; st: vst [s4], v2 }
        halt
