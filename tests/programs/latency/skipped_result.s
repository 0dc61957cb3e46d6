# An operation with a false predicate waits for nothing: its destination is written elsewhere.
# expect: s5 = 3
# expect: s6 = 3

        s4 = mov 3
        v1 = vmov s4
        { xu: s5 = extract v1, 0 }
        { sb: @!p0 s5 = add s4, 1 }
        { xu: s6 = extract v1, 0 }
        { sa: @!p0 s6 = add s4, 1 }
        { idle 20 }
        halt
