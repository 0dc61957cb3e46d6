        v1 = vld [s4], colums=3
        v1 = vadd.f32 v2, v3, rows=3
        s1 = add s2, s3, 5
