        .linear
        { s4 = mov 5 }
        sa: s4 = mov 5
        .linear
        .bundle 0
        .reloc sa, 5
        .endlinear
