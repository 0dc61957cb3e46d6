# Constant bits of `wait` that reads a register.
# expect: trap illegal_encoding dma 0 pc here
# expect: s4 = 0

here:   .bundle 0, 0, 0x40004010, 0x1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10001002
        halt
