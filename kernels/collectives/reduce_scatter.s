# reduce_scatter: y = the sum over all chips of x[here]. A ring of partial sums: part c begins at chip
# c + 1 and goes around to chip c, each adding its own. Two buffers for what comes, and a credit for
# each that is free again: without credits a fast chip would overwrite what a slow one still adds.
# A part has a multiple of 8 * LANES words, at most 64 rows.
        .tensor x, f32, [chips, n], in
        .tensor y, f32, [n], out
        .include "common.inc"
        .equ own, 0             # rows of VMEM
        .equ come, 64           # two of 64
        .equ sum, 192           # two of 64
        .text
        .global start
        .entry start
        .linear start
        numbers
        %left = sub %chip, 1
        %below = lt.s32 %left, 0
        @%below %left = sub %chips, 1
        %vectors = shr %part, log2(8 * LANES)
        %whole = shl %vectors, log2(8 * LANES)
        %whole = sub %part, %whole
        %odd = gt.s32 %whole, 0
        %many = gt.u32 %vectors, 8
        %wrong = por %odd, %many
        @%wrong trap 1

        to_here near, hbm, vmem, %part_bytes
        tensor near, copy_source, x_entry
        row near, copy_target, own
        to_chip far, %right, vmem, vmem, %part_bytes, 1, 2
        row far, copy_source, sum
        row far, copy_target, come
        to_chip back, %left, vmem, vmem, s0, 3, 4

        %steps = sub %chips, 1
        %part_of = mov %left            # the current part: what the left neighbour ends with
        %step = mov 0                   # sends that have been started
        %buffer = mov 0                 # the next of two: 0 or 1
next:
        # the own part, first in, then what has arrived for it
        %from = mul %part_of, %part
        copy [near], %from, s0
        %loaded = add %step, 1
        wait f0, %loaded
        # the buffer of sums must have been read by the send before the last
        %sent = sub %step, 1
        wait f2, %sent
        %other = xor %buffer, 1
        %come_row = shl %other, 6
        %sum_row = shl %buffer, 6
        %i = mov 0
        %row = mov 0
        %begins = eq %step, 0
        @%begins br first
        wait f1, %step
add:
        %c = add %come_row, %row
        %v = vld [%row + own]
        %w = vld [%c + come]
        %t = vadd.f32 %w, %v
        %s = add %sum_row, %row
        vst [%s + sum], %t
        %row = add %row, 8
        %i = add %i, 1
        %more = lt.u32 %i, %vectors
        @%more br add
        copy [back], s0, s0             # the left neighbour may write that buffer again
        br added
first:
        %v = vld [%row + own]
        %s = add %sum_row, %row
        vst [%s + sum], %v
        %row = add %row, 8
        %i = add %i, 1
        %more = lt.u32 %i, %vectors
        @%more br first
added:
        %last = ge.u32 %step, %steps
        @%last br done
        # the right neighbour has two buffers: the send before the last must have been added
        %free = sub %step, 1
        wait f3, %free
        %offset = mul %buffer, 64 * LANES
        copy [far], %offset, %offset
        %step = add %step, 1
        %buffer = xor %buffer, 1
        %part_of = sub %part_of, 1
        %below = lt.s32 %part_of, 0
        @%below %part_of = sub %chips, 1
        br next
done:
        to_here near, vmem, hbm, %part_bytes
        row near, copy_source, sum
        tensor near, copy_target, y_entry
        %offset = mul %buffer, 64 * LANES
        copy [near], %offset, s0
        %stored = add %chips, 1
        wait f0, %stored
        wait f2, %steps
        halt
        .endlinear
