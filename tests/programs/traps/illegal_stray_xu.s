# A second operand on `exp2`.
# expect: trap illegal_encoding xu 0 pc here
# expect: s4 = 0

here:   .bundle 0, 0, 0x40004010, 0x1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x1000001, 0
        halt
