# broadcast: y = x of chip 0, on every chip. It sends to one after the other.
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
        %to = mov 0
        %word0 = sld [far]
        %one = mov 1 << copy_chip_bit
next:
        copy [far], s0, s0
        %word0 = add %word0, %one
        sst [far], %word0
        %to = add %to, 1
        %more = lt.u32 %to, %chips
        @%more br next
        wait f2, %chips
listen:
        wait f1, 1
        halt
        .endlinear
