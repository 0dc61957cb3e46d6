# A bit that no operand of `not` covers.
# expect: trap illegal_encoding sa 0 pc here
# expect: s4 = 0

here:   .bundle 0x404008, 0, 0x40006010, 0x1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
