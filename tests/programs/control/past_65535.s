# The PC goes on from bundle 65,535 to 65,536 by itself, and a call behind it comes back there.
# expect: s1 = 65536
# expect: s2 = 10
# expect: s3 = 1
# expect: s4 = 65536 + 3

        br      near
        .rept   65530
        halt                                    # bundles 1 to 65,530: nothing may get here
        .endr
near:   .rept   5, i                            # 65,531 to 65,535
        s2 = add s2, 1
        .endr
over:   s2 = add s2, 5
        s1 = mov over
        s4 = call there
        halt
there:  s3 = mov 1
        ret     s4
