# A scalar from slot sb and from the XLU in one bundle: { sb: s5 = mov 1 ; xu: s5 = extract v1, 0 }.
# expect: trap write_conflict xu 5 pc here
# expect: s5 = 0

here:   .bundle 0, 0, 0x40005010, 0x1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80045024, 0
        halt
