# An opcode that slot va does not have, predicated off: encodings are judged all the same.
# expect: trap illegal_encoding va 0 pc here
# expect: s4 = 0

here:   .bundle 0, 0, 0x40004010, 0x1, 0x87f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
