here:   halt
here:   halt
        .equ    here, 5
        .equ    five, 5
        .equ    five, 5
        .tensor x, f32, [n], in
        .tensor x, f32, [n], in
        .macro  m
        .endm
        .macro  m
        .endm
        .extern here
