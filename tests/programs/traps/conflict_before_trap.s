# A write conflict comes before an explicit trap: { sa: trap 1 ; va: m1 = mand ; vb: m1 = mor }.
# expect: trap write_conflict vb 513 pc here

here:   .bundle 0x47, 0x1, 0, 0, 0x1028, 0, 0x1029, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
