        .spaec  5
        .word   5
