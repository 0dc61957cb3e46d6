        .linear work
        %x = mov 1
        %y = mov 2
        s4 = add %x, 0
        s1 = call work
        s5 = add %y, s4
        halt
        .endlinear
