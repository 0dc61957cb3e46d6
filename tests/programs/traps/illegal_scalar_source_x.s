# A scalar source of a vector operation above s31.
# expect: trap illegal_encoding va 0 pc here
# expect: s4 = 0

here:   .bundle 0, 0, 0x40004010, 0x1, 0x3801001, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
