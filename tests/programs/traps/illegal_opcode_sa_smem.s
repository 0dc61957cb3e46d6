# An SMEM load in sa.
# expect: trap illegal_encoding sa 0 pc here
# expect: s4 = 0

here:   .bundle 0x5060, 0, 0x40004010, 0x1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
