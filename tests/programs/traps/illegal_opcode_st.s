# An opcode that slot st does not have.
# expect: trap illegal_encoding st 0 pc here
# expect: s4 = 0

here:   .bundle 0, 0, 0x40004010, 0x1, 0, 0, 0, 0, 0, 0, 0x12, 0, 0, 0, 0, 0
        halt
