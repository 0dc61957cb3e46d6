# A constant and a register together in `add`.
# expect: trap illegal_encoding sa 0 pc here
# expect: s4 = 0

here:   .bundle 0x40c04001, 0x9, 0x40006010, 0x1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
