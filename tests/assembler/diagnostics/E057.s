        { s1 = mov 1 ; { s2 = mov 2 } }
        { { s1 = mov 1 } ; s2 = mov 2 }
        s3 = mov 3
