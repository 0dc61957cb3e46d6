# Bit 30 of a store.
# expect: trap illegal_encoding st 0 pc here
# expect: s4 = 0

here:   .bundle 0, 0, 0x40004010, 0x1, 0, 0, 0, 0, 0, 0, 0x40000001, 0, 0, 0, 0, 0
        halt
