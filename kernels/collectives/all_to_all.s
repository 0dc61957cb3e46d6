# all_to_all: y[c] here = x[here] of chip c. One copy to each chip, the own one too.
        .tensor x, f32, [chips, n], in
        .tensor y, f32, [chips, n], out
        .include "common.inc"
        .text
        .global start
        .entry start
        .linear start
        numbers
        to_chip far, s0, hbm, hbm, %part_bytes, 1, 2
        tensor far, copy_source, x_entry
        tensor far, copy_target, y_entry
        %there = mul %chip, %part
        %from = mov 0
        from_chip_0 far
next:
        copy [far], %from, %there
        %from = add %from, %part
        to_next_chip far, next
        # Every chip adds one, and all are needed: so the wait covers all of them.
        wait f1, %chips
        wait f2, %chips
        halt
        .endlinear
