# trap: as an assertion. Not done where its predicate is false; then it ends the program.
# expect: trap explicit_trap sa 0xdeadbeef pc here
# expect: s1 = 2
# expect: s2 = 0

        s1 = mov 1
        @p1 trap 1
        { sa: @!p0 trap 2 ; sb: s1 = mov 2 }
here:   { sa: @!p1 trap 0xdeadbeef ; sb: s2 = mov 99 }
        s1 = mov 3
        halt
