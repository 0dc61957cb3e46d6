# An opcode that slot vb does not have.
# expect: trap illegal_encoding vb 0 pc here
# expect: s4 = 0

here:   .bundle 0, 0, 0x40004010, 0x1, 0, 0, 0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
