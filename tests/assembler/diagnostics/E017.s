        s1 = mov 1.5 & 1
        s1 = mov ~1.5
        s1 = mov 1.5 << 2
