# A half as the part of an s8 multiply.
# expect: trap illegal_encoding mx 0 pc here
# expect: s4 = 0

here:   .bundle 0, 0, 0x40004010, 0x1, 0, 0, 0, 0, 0, 0, 0, 0, 0x40004, 0xe, 0, 0
        halt
