# An opcode that slot dma does not have.
# expect: trap illegal_encoding dma 0 pc here
# expect: s4 = 0

here:   .bundle 0, 0, 0x40004010, 0x1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x5
        halt
