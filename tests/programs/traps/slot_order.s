# A load and a store outside VMEM: the load comes first in slot order, and SMEM before both.
# expect: trap address_range sb SMEM_WORDS pc here

        { sa: s4 = mov VMEM_ROWS ; sb: s5 = mov SMEM_WORDS }
here:   { sb: s6 = sld [s5] ; ld: v1 = vld [s4] ; st: vst [s4 + 9], v2 }
        halt
