# Of two illegal slots the first is reported.
# expect: trap illegal_encoding va 0 pc here
# expect: s4 = 0

here:   .bundle 0, 0, 0x40004010, 0x1, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0
        halt
