        .equ    n, LANES
        .target nano
