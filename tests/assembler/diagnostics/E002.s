        s1 = add s1, ` 5
        s1 = add s1, \n
        s1 = add s1, é
