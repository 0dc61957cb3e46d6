        s1 = mov sqr(2)
