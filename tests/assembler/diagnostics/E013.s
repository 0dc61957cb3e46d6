        copy    [s4 + 8], s0, s0
