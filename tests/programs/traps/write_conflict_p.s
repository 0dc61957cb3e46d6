# Two slots write the same predicate: { sa: p3 = eq s0, 0 ; sb: p3 = eq s0, 1 }.
# expect: trap write_conflict sb 259 pc here
# expect: p3 = 0

here:   .bundle 0x58000018, 0, 0x58000018, 0x1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
