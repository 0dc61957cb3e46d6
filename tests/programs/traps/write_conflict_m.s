# Two slots write the same mask: { va: m2 = mand m0, m0 ; vb: m2 = mor m0, m0 }.
# expect: trap write_conflict vb 514 pc here
# expect: m2 = 0

here:   .bundle 0, 0, 0, 0, 0x28, 0x8, 0x29, 0x8, 0, 0, 0, 0, 0, 0, 0, 0
        halt
