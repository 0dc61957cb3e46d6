# all_reduce, small: y = the sum of x over all chips, on every chip. Each sends x to all, into its own
# rows, and each adds in the order of chips, so all get the same bits. x has 8 * LANES words.
        .tensor x, f32, [n], in
        .tensor y, f32, [n], out
        .include "common.inc"
        .equ sum, 0             # rows of VMEM
        .equ come, 8            # 8 for each chip
        .text
        .global start
        .entry start
        .linear start
        numbers
        %whole = eq %words, 8 * LANES
        @!%whole trap 1
        to_chip far, s0, hbm, vmem, %bytes, 1, 2
        tensor far, copy_source, x_entry
        row far, copy_target, come
        %there = mul %chip, 8 * LANES
        %to = mov 0
        %word0 = sld [far]
        %one = mov 1 << copy_chip_bit
next:
        copy [far], s0, %there
        %word0 = add %word0, %one
        sst [far], %word0
        %to = add %to, 1
        %more = lt.u32 %to, %chips
        @%more br next
        wait f1, %chips
        %t = vld [come]
        %row = mov 8
        %i = mov 1
        %alone = ge.u32 %i, %chips
        @%alone br added
add:
        %v = vld [%row + come]
        %t = vadd.f32 %t, %v
        %row = add %row, 8
        %i = add %i, 1
        %more = lt.u32 %i, %chips
        @%more br add
added:
        vst [sum], %t
        to_here near, vmem, hbm, %bytes
        row near, copy_source, sum
        tensor near, copy_target, y_entry
        copy [near], s0, s0
        wait f0, 1
        wait f2, %chips
        halt
        .endlinear
