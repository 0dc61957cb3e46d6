# Opcode 0 with only the negation of the predicate.
# expect: trap illegal_encoding sb 0 pc here
# expect: s4 = 0

here:   .bundle 0x40004010, 0x1, 0x800, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
