        .global middle
        .linear first
        s4 = mov 0
middle: s4 = add s4, 1
        s5 = mov middle
        p1 = eq s4, 8
        @!p1 br middle
        @p1 br first
        br behind
behind:
        .endlinear
        br first
        br behind
        br middle
