        { s1 = mov 1 ; s2 = mov 2
        { s3 = mov 3 }
        { s4 = mov 4
