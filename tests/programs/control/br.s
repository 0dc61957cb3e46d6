# br: forwards, backwards, predicated both ways, to itself + 1; operations beside it still happen.
# expect: s1 = 1
# expect: s2 = 0
# expect: s3 = 5
# expect: s4 = 0
# expect: s5 = 10
# expect: s6 = 6
# expect: s7 = 7

        br      forward
back:   { s6 = mov 6 ; br after }
        s2 = mov 99                     # never
forward:
        { sb: s1 = mov 1 ; sa: br back }
        s2 = mov 99
after:  { sa: @p1 br wrong ; sb: s4 = mov 0 }
        { sa: @!p1 br right ; sb: s7 = mov 7 }
wrong:  s4 = mov 99
right:  s3 = mov 0
loop:   { sa: s3 = add s3, 1 ; sb: p2 = lt.s32 s3, 4 }
        { sa: @p2 br loop ; sb: s5 = add s5, 2 }
        { sa: br next }
next:   halt
