# An SMEM load one word beyond the end.
# expect: trap address_range sb SMEM_WORDS pc here
# expect: s4 = 4
# expect: s5 = 0

        { sa: s6 = mov SMEM_WORDS - 1 ; sb: s4 = mov 4 }
        { sb: s7 = sld [s6] }
here:   { sb: s4 = sld [s6 + 1] ; sa: s5 = mov 1 }
        halt
