# Bundles around 65,536, where a PC of 16 bits would begin again: one after the other, a branch
# across and back, a call from below, whose return address is above.
# expect: s1 = 5
# expect: s2 = 65536
# expect: s3 = 3

        br      below
        .rept   65529
        { }
        .endr
below:  s1 = add s1, 1                  # bundle 65530
        s1 = add s1, 1
        br      above
back:   s1 = add s1, 1
        { s30 = call leaf }             # 65534: its return address is 65535
        s1 = add s1, 1
above1: s1 = add s1, 1                  # 65536, from the bundle in front of it
        halt
leaf:   s3 = add s3, 1
        s2 = mov above1
        ret     s30
above:  s3 = add s3, 2
        br      back
