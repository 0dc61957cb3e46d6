# jump: to a bundle number in a register, s0, predicated both ways, table of targets.
# expect: s2 = 7
# expect: s3 = 3
# expect: s4 = 0
# expect: s5 = 2

        { sa: s5 = add s5, 1 ; sb: p1 = ne s5, 0 }
        { sa: @p1 br again ; sb: s1 = mov third }
        { sa: jump s1 ; sb: s1 = mov 0 }        # reads s1 before it is written
        s4 = mov 99
third:  s2 = add s2, 7
        @p1 jump s0                             # not done
        @!p1 jump s1                            # s1 = 0: the start
        s4 = mov 98
again:  { sa: s6 = mov table ; sb: s7 = mov 0 }
next:   s8 = add s6, s7
        jump    s8
table:  { sa: br join ; sb: s3 = add s3, 1 }
        { sa: br join ; sb: s3 = add s3, 2 }
        halt
join:   { sa: br next ; sb: s7 = add s7, 1 }
