# A bit that no operand of `vlane` covers.
# expect: trap illegal_encoding va 0 pc here
# expect: s4 = 0

here:   .bundle 0, 0, 0x40004010, 0x1, 0x4102c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
