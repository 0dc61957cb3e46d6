# A text larger than the I-cache of nano, run through from end to end and back: every bundle adds
# its own constant.
# expect: s1 = 600 * 601 / 2
# expect: s2 = 600
# expect: s3 = 1

        br      middle
first:
        .rept   300, i
        { sa: s1 = add s1, \i + 1 ; sb: s2 = add s2, 1 }
        .endr
        br      end
middle:
        .rept   300, i
        { sa: s1 = add s1, \i + 301 ; sb: s2 = add s2, 1 }
        .endr
        br      first
end:    s3 = mov 1
        halt
