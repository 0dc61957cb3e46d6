# collective_permute along a chain: y = x of the chip before; chip 0, without a sender, gets zeros.
        .tensor x, f32, [n], in
        .tensor y, f32, [n], out
        .include "common.inc"
        .smem
zero:   .space 1                # SMEM is zero at the start
        .text
        .global start
        .entry start
        .linear start
        numbers
        %first = eq %chip, 0
        %last = eq %right, 0
        @!%first br send
        # The word that is zero, as often as y has words.
        %one = mov 4
        to_here near, smem, hbm, %one
        %at = mov zero << 2
        sst [near + copy_source], %at
        tensor near, copy_target, y_entry
        sst [near + copy_inner], %words
        sst [near + copy_inner_target_stride], %one
        copy [near], s0, s0
        wait f0, 1
send:
        @%last br listen
        to_chip far, %right, hbm, hbm, %bytes, 1, 2
        tensor far, copy_source, x_entry
        tensor far, copy_target, y_entry
        copy [far], s0, s0
        wait f2, 1
listen:
        @%first br done
        wait f1, 1
done:
        halt
        .endlinear
