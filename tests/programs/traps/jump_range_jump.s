# A jump to the bundle after the last one; not done if its predicate is false.
# expect: trap jump_range sa end pc here
# expect: s5 = 0

        s4 = mov end
        @p1 jump s4
here:   { sa: jump s4 ; sb: s5 = mov 1 }
        halt
end:
