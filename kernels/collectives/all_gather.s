# all_gather: y[c] = x of chip c, on every chip. A ring: each forwards to the right what has come
# from the left, into the same place of y. A place is written once, so no credits are needed.
        .tensor x, f32, [n], in
        .tensor y, f32, [chips, n], out
        .include "common.inc"
        .text
        .global start
        .entry start
        .linear start
        numbers
        to_here near, hbm, hbm, %bytes
        tensor near, copy_source, x_entry
        tensor near, copy_target, y_entry
        %at = mul %chip, %words
        copy [near], s0, %at
        wait f0, 1
        to_chip far, %right, hbm, hbm, %bytes, 1, 2
        tensor far, copy_source, y_entry
        tensor far, copy_target, y_entry
        %place = mov %chip
        %steps = sub %chips, 1
        %step = mov 0
        %alone = eq %steps, 0
        @%alone br done
next:
        %at = mul %place, %words
        copy [far], %at, %at
        %step = add %step, 1
        wait f1, %step
        %place = sub %place, 1
        %below = lt.s32 %place, 0
        @%below %place = sub %chips, 1
        %more = lt.u32 %step, %steps
        @%more br next
        wait f2, %steps
done:
        halt
        .endlinear
