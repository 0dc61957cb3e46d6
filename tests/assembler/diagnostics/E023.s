        .equ    a, a + 1
        .equ    b, c
        .equ    c, b
        s1 = mov b
