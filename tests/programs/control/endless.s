# A program without an end meets the limit.
# expect: limit
# limit: 1000

loop:   { sb: s1 = add s1, 1 ; sa: br loop }
