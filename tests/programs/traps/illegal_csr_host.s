# A csr number that only the host can read: control.
# expect: trap illegal_encoding sb 0 pc here
# expect: s4 = 0

here:   .bundle 0x40004010, 0x1, 0x5062, 0x2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
