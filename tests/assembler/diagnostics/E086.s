        s1 = mov later
        v1 = vld [later]
        copy [odd], s0, s0
        .equ later, 1 << 20
        .equ odd, 24
