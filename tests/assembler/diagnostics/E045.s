        add s1, s2
        s1, s2 = add s3, s4
        s1 = halt
