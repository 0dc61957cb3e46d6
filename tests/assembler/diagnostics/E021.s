        .reg    count, s12
        s1 = mov 2 * s3
        s1 = mov 2 * count
        v1 = vld [8 + s4]
