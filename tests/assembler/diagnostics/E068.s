        .macro  twice a, b=5
        .endm
        twice   1, 2, 3
