# broadcast: y = x of chip 0, on every chip. It sends to one after another.
        .tensor x, f32, [n], in
        .tensor y, f32, [n], out
        .include "common.inc"
        .text
        .global start
        .entry start
        .linear start
        numbers
        %first = eq %chip, 0
        @!%first br listen
        to_chip far, %chip, hbm, hbm, %bytes, 1, 2
        tensor far, copy_source, x_entry
        tensor far, copy_target, y_entry
        from_chip_0 far
next:
        copy [far], s0, s0
        to_next_chip far, next
        wait f2, %chips
listen:
        wait f1, 1
        halt
        .endlinear
