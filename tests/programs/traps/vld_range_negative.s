# Rows wrap below 0: row 0 is below VMEM, so row 0 of the register is the first outside.
# expect: trap address_range ld 0xfffffffd pc here

here:   { ld: v2 = vld [-3] }
        halt
