# As many lines as can be asked for at once: groups a and b are in the cache without the four lines after
# each (at nano, of 32 lines), which 33 and 41 have put out. Both ask for those, one after the other, and then
# the program goes where it never was: the last place is taken, and the first answer must stay what it is.
# expect: s1 = 2
# expect: s2 = 2
# expect: s3 = 9

a:      { sb: s1 = add s1, 1 }                  # line 0
        { idle 6 }
        { sa: br b }
        .rept   5 + 56
        { sa: trap 1 }
        .endr
b:      { sb: s2 = add s2, 1 }                  # line 8
        { idle 6 }
        { sa: @p1 br c }
        { sa: br out_a }
        .rept   4 + 56
        { sa: trap 2 }
        .endr
c:      .rept   9
        { sa: s3 = add s3, 1 }                  # line 16 and the first of line 17
        .endr
        halt
        .rept   6 + 120
        { sa: trap 3 }
        .endr
out_a:  { idle 400 }                            # line 33
        { sa: br out_b }
        .rept   6 + 56
        { sa: trap 4 }
        .endr
out_b:  { idle 400 }                            # line 41
        { p1 = eq s0, s0 }
        { sa: br a }
        .rept   5 + 64
        { sa: trap 5 }
        .endr
