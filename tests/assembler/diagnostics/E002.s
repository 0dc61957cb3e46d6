        s1 = add s1, ` 5
        s1 = add s1, \n
        s1 = add s1, é
größe:  s1 = mov 1
        s1 = mov “5”
        s1 = mov 5 /* five
        */
        s1 = mov −5
        s1 = mov '\q'
