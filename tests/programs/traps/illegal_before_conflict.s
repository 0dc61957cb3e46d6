# An illegal encoding comes before a write conflict, even in a later slot.
# expect: trap illegal_encoding dma 0 pc here
# expect: s4 = 0

here:   .bundle 0x40004010, 0x1, 0x40004010, 0x2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x9
        halt
