# A stride on `vldc`, which has none.
# expect: trap illegal_encoding ld 0 pc here
# expect: s4 = 0

here:   .bundle 0, 0, 0x40004010, 0x1, 0, 0, 0, 0, 0x2, 0x10000, 0, 0, 0, 0, 0, 0
        halt
