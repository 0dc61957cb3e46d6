# An opcode that slot ld does not have.
# expect: trap illegal_encoding ld 0 pc here
# expect: s4 = 0

here:   .bundle 0, 0, 0x40004010, 0x1, 0, 0, 0, 0, 0x13, 0, 0, 0, 0, 0, 0, 0
        halt
