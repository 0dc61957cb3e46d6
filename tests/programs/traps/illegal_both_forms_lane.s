# Constant bits of `lrot` beyond its register.
# expect: trap illegal_encoding xu 0 pc here
# expect: s4 = 0

here:   .bundle 0, 0, 0x40004010, 0x1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x43001020, 0
        halt
