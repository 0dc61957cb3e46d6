# idle: constant and register counts, zero, predicated off; beside other operations.
# expect: s1 = 1
# expect: s2 = 2
# expect: s3 = 3
# expect: s4 = 4

        { sa: idle 5 ; sb: s1 = mov 1 }
        s5 = mov 9
        { sa: idle s5 ; sb: s2 = mov 2 }
        idle    0
        idle    s0
        { sa: @p1 idle 1000000000 ; sb: s3 = mov 3 }
        { sa: @!p1 idle 1 ; sb: s4 = mov 4 }
        halt
