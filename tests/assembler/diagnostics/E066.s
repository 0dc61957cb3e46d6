        .macro  m
        .rept   3
        .if     1
        halt
