        { s1 = mov 1 ; s2 = mov 2 ; s3 = mov 3 }
        { br 0 ; s1 = sld [0] ; s2 = mov 5 }
