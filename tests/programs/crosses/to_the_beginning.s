# A jump and a return by s0, which go to bundle 0.
# expect: s1 = 3

        s1 = add s1, 1
        { sa: p1 = eq s1, 1 ; sb: p2 = eq s1, 2 }
        @p1 jump s0
        @p2 ret s0
        halt
