        .macro  twice a, b=5
        \a = mov \b
        .endm
        twice
        twice   b=6
