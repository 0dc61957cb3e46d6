# An extract writes every scalar register but s0.
# expect: s0 = 0
# expect: s1 = 9
# expect: s2 = 9
# expect: s31 = 9
# expect: s30 = 9

        s2 = mov 9
        v1 = vmov s2
        s2 = mov 0
        .rept   32, i
        { xu: s\i = extract v1, 3 }
        .endr
        { sa: s2 = add s1, s0 }
        { idle 20 }
        halt
