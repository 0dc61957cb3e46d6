# Register bits of `vrot.sub` that has a constant.
# expect: trap illegal_encoding va 0 pc here
# expect: s4 = 0

here:   .bundle 0, 0, 0x40004010, 0x1, 0x8c00102e, 0x3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
