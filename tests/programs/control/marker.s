# marker: no architectural effect, whatever its code and predicate.
# expect: s1 = 1
# expect: s2 = 2
# expect: s3 = 3

        { sa: marker 0 ; sb: s1 = mov 1 }
        { sa: marker 0xffffffff ; sb: s2 = mov 2 }
        @p1 marker 7
        { sa: @!p1 marker 0x80000000 ; sb: s3 = mov 3 }
        halt
