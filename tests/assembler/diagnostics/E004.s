        .data
        .ascii "open
