# not: both slots, s0, predicates.
# expect: s4 = 0xffffffff
# expect: s5 = 0xedcba987
# expect: s6 = 0
# expect: s7 = 0x7fffffff
# expect: s8 = 8
# expect: s9 = 0xfffffffe
# expect: s0 = 0

        { sa: s1 = mov 0x12345678 ; sb: s2 = mov -1 }
        { sa: s4 = not s0 ; sb: s5 = not s1 }
        { sa: s6 = not s2 ; sb: s3 = mov 0x80000000 }
        { sa: s7 = not s3 ; sb: s8 = mov 8 }
        { sa: s0 = not s1 ; sb: s2 = mov 1 }
        { sa: @p1 s8 = not s1 ; sb: @!p1 s9 = not s2 }
        { sa: s0 = not s0 ; sb: s0 = not s1 }
        halt
