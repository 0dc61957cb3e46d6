        .equ    zero, 0
        s1 = mov 1 / zero
        s1 = mov 1 % (zero * 2)
