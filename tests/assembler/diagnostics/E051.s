        { sb: br 0 }
        { ld: s1 = add s2, s3 }
