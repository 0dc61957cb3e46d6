        { sc: s1 = add s2, s3 }
        { loop: s1 = add s2, s3 }
