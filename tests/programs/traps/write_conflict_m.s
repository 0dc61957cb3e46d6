# Two slots write the same mask: { va: m2 = mand m0, m0 ; vb: m2 = mor m0, m0 }.
# expect: trap write_conflict vb 514 pc here
# expect: m2 = 0

here:   .bundle 0, 0, 0, 0, 0x2028, 0, 0x2029, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
