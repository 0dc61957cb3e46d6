# An SMEM store beyond the end writes nothing.
# expect: trap address_range sb SMEM_WORDS+7 pc here
# expect: s5 = 0

        s6 = mov SMEM_WORDS
        { sb: @p1 sst [s6], s6 }                # not done
here:   { sb: sst [s6 + 7], s6 ; sa: s5 = mov 1 }
        halt
