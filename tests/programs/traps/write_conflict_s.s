# Two slots write the same scalar, whatever their predicates; nothing of the bundle happens. The
# assembler refuses such bundles, so they are words: { sa: s5 = mov 1 ; sb: @!p0 s5 = mov 2 }.
# expect: trap write_conflict sb 5 pc here
# expect: s5 = 9
# expect: s6 = 1

        { sa: s5 = mov 9 ; sb: s6 = mov 1 }
here:   .bundle 0x40005010, 0x1, 0x40005810, 0x2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
