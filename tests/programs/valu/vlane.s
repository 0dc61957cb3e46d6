# vlane: the number of the lane in every row, both slots, predicates.
# expect: v1 = j
# expect: v2 = j
# expect: v3 = 3
# expect: v4 = j

        { sa: s3 = mov 3 }
        { va: v1 = vlane ; vb: v2 = vlane }
        { va: v3 = vmov s3 }
        { va: @p1 v3 = vlane ; vb: @!p1 v4 = vlane }
        halt
