# A column load beyond the last word of VMEM.
# expect: trap address_range ld VMEM_ROWS*LANES pc here
# expect: v2 = 2

        { sa: s6 = mov VMEM_ROWS * LANES - 3 ; sb: s7 = mov 2 }
        { va: v2 = vmov s7 }
        { ld: @p1 v2 = vldc [s6] }              # not done
here:   { ld: v2 = vldc [s6] }
        halt
