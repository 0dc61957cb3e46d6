        .macro  check n
        .if     \n > 3
        .error  "n is too large"
        .endif
        .endm
        check   3
        check   4
