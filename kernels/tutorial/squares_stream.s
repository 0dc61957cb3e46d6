# y = x^2 + z as squares_together.s has it, in blocks and with two buffers: while one block is worked
# on, the next one comes and the one before leaves.
        .arguments
        .tensor x, f32, [n], in
        .tensor z, f32, [n], in
        .tensor y, f32, [n], out
        .include "../common.inc"

        .equ block, 256                 # rows of a block
        .equ block_bytes, block * ROW_BYTES
        .equ half, block                # rows from x to z in a buffer
        .equ buffer, 2 * block          # rows from buffer 0 to buffer 1

        .smem
        .align 16
frame:  .space 96                       # of each buffer: x in, z in, y out

# The descriptors of buffer number `b`. Flag 1 + b counts what has come, flag 3 + b what has left.
.macro describe_buffer b
        describe 48 * \b, hbm, vmem, 1 + \b
        describe_tensor 48 * \b, copy_source, %x
        describe_rows 48 * \b, copy_target, buffer * \b
        describe 48 * \b + 16, hbm, vmem, 1 + \b
        describe_tensor 48 * \b + 16, copy_source, %z
        describe_rows 48 * \b + 16, copy_target, buffer * \b + half
        describe 48 * \b + 32, vmem, hbm, 3 + \b
        describe_tensor 48 * \b + 32, copy_target, %y
        describe_rows 48 * \b + 32, copy_source, buffer * \b
.endm

# Begins to bring the block at word `at` of the arrays into buffer `b`; its last one is shorter.
.macro bring b, at
        %left = shl \at, 2
        %left = sub %bytes, %left
        %length = min.s32 %left, block_bytes
        sst [%frame + 48 * \b + copy_length], %length
        sst [%frame + 48 * \b + 16 + copy_length], %length
        sst [%frame + 48 * \b + 32 + copy_length], %length
        copy [%frame + 48 * \b], \at, s0
        copy [%frame + 48 * \b + 16], \at, s0
.endm

# Works on the block in buffer `this`, and brings the next one into `other` once that has left.
.macro turn this, other
        %next = add %here, block_bytes / 4
        %next_byte = shl %next, 2
        %more = lt.s32 %next_byte, %bytes
        @!%more br last_\@
        wait f[3 + \other], 1
        fset f[3 + \other], 0
        bring \other, %next
last_\@:
        wait f[1 + \this], 2
        fset f[1 + \this], 0
        %at = mov buffer * \this
        %count = mov block / 32
loop_\@:
.rept 4, i
        %a\i = vld [%at + 8 * \i]
        %b\i = vld [%at + 8 * \i + half]
        %square\i = vmul.f32 %a\i, %a\i
        %sum\i = vadd.f32 %square\i, %b\i
        vst [%at + 8 * \i], %sum\i
.endr
        %at = add %at, 32
        %count = sub %count, 1
        %again = ne %count, 0
        @%again br loop_\@
        copy [%frame + 48 * \this + 32], s0, %here
        %here = mov %next
        @!%more br end
.endm

        .text
        .linear start
        %frame = mov frame
        s3 = mov 0                      # where `describe_rows` counts from
        %x = mov 0                      # entries of the tensors
        %z = mov 16
        %y = mov 32
        %bytes = sld [%x + argument_bytes]
        describe_buffer 0
        describe_buffer 1

        # What the last block does not fill holds zeros.
        %zero = vmov 0
        %at = mov 0
clear:  vst [%at], %zero
        %at = add %at, 8
        %again = ne %at, 2 * buffer
        @%again br clear

        fset f4, 1                      # buffer 1 is free
        %here = mov 0
        bring 0, %here
blocks: turn 0, 1
        turn 1, 0
        br blocks
end:    wait f3, 1
        wait f4, 1
        halt
        .endlinear
