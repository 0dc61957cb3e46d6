        .endif
        .else
        .endm
        .endr
