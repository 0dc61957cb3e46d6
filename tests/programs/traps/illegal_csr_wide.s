# A csr number whose high bits count.
# expect: trap illegal_encoding sb 0 pc here
# expect: s4 = 0

here:   .bundle 0x40004010, 0x1, 0x5062, 0x10012, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
