# vsublane: the number of the row in every lane, both slots, predicates.
# expect: v1 = r
# expect: v2 = r
# expect: v3 = 3
# expect: v4 = r

        { sa: s3 = mov 3 }
        { va: v1 = vsublane ; vb: v2 = vsublane }
        { va: v3 = vmov s3 }
        { va: @p1 v3 = vsublane ; vb: @!p1 v4 = vsublane }
        halt
