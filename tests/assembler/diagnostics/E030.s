next:   s1 = add s1, 1
        br      nxt
        br      nxt
        br      elsewhere
        .global missing
