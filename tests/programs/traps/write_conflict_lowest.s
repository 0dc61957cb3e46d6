# Of two scalars that are written twice the lower one is reported, whichever slots come first:
# { sa: s5 = mov 1 ; sb: s5 = mov 1 ; va: s3 = mpop m0 ; vb: s3 = mpop m0 }.
# expect: trap write_conflict vb 3 pc here
# expect: s3 = 0
# expect: s5 = 0

here:   .bundle 0x40005010, 0x1, 0x40005010, 0x1, 0x3031, 0, 0x3031, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
