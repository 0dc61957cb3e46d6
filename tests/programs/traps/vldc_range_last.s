# A column load whose last word alone is beyond VMEM: the detail is that word.
# expect: trap address_range ld VMEM_ROWS*LANES pc here

        s6 = mov VMEM_ROWS * LANES - 7
here:   { ld: v2 = vldc [s6] }
        halt
