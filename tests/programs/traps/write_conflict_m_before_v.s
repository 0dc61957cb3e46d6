# A mask is reported before a vector: { va: m2 = mand ; vb: m2 = mor ; ld: v9 = vld [0] ; mx: v9 = mxread a0 }.
# expect: trap write_conflict vb 514 pc here
# expect: m2 = 0

here:   .bundle 0, 0, 0, 0, 0x2028, 0, 0x2029, 0, 0x38009001, 0x10000, 0, 0, 0x5, 0x240, 0, 0
        halt
