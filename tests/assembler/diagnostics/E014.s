        .data
        .align  12
