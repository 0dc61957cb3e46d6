# An SMEM store of a constant beyond the end writes nothing.
# expect: trap address_range sb SMEM_WORDS+7 pc here
# expect: s5 = 0
# expect: smem[0] = 0

        s6 = mov SMEM_WORDS
        { sb: @p1 ssti [s6], 6 }                # not done
here:   { sb: ssti [s6 + 7], 6 ; sa: s5 = mov 1 }
        halt
