s1:     halt
LANES:  halt
        .equ    va, 5
        .macro  vadd.f32
        .endm
        .reg    p1, s1
