# Prefetch loads a line into the place of the one that loops there (at nano: lines 33 and 1 of a
# cache of 32): from the first beat on its bundles are gone. The rounds are a cycle apart.
# expect: s1 = 8 * 20 * 6
# expect: s4 = 8

        br      start
        .rept   7
        { }
        .endr
loop:   { sa: s1 = add s1, 1 ; sb: s5 = sub s5, 1 }             # line 1, whole
        { sa: s1 = add s1, 1 ; sb: p1 = ne s5, 0 }
        .rept   4
        { sa: s1 = add s1, 1 }
        .endr
        { }
        { sa: @p1 br loop }
        { sa: s4 = add s4, 1 }
        { sb: p2 = eq s4, 8 }
        { sa: @p2 halt }
start:  { sa: s5 = mov 20 }
        br      distant
        .rept   227
        { }
        .endr
distant: { sa: idle s4 }                                        # line 31
        br      loop
        .rept   38
        { }
        .endr
        halt
