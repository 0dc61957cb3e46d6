# A csr number that does not exist.
# expect: trap illegal_encoding sb 0 pc here
# expect: s4 = 0

here:   .bundle 0x40004010, 0x1, 0x5062, 0x3e8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
