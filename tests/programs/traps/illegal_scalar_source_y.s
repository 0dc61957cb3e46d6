# A scalar source of a vector operation above s31, as y.
# expect: trap illegal_encoding vb 0 pc here
# expect: s4 = 0

here:   .bundle 0, 0, 0x40004010, 0x1, 0, 0, 0x1001, 0xff, 0, 0, 0, 0, 0, 0, 0, 0
        halt
