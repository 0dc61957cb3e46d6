# A branch in sb: that slot has no such opcode.
# expect: trap illegal_encoding sb 0 pc here
# expect: s4 = 0

here:   .bundle 0x40004010, 0x1, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
