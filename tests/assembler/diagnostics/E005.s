        s1 = add s1
        s1 = add s1, s2, s3
        v1 = vadd.f32 v1, p2
        v1 = vld s4
        v1 = vld [s4 + 1
        s1 = 5
        s1 = mov 5 ; s2 = mov 6
        s1 = mov (5
        .space
        mxread a5
        a5 = mxread v1
