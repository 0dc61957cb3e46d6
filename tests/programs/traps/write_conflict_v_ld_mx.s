# A vector loaded and read from an accumulator: { ld: v9 = vld [0] ; mx: v9 = mxread a0 }.
# expect: trap write_conflict mx 777 pc here

here:   .bundle 0, 0, 0, 0, 0, 0, 0, 0, 0x38009001, 0x10000, 0, 0, 0x5, 0x240, 0, 0
        halt
