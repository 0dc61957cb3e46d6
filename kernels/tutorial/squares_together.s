# y = x^2 + z as in squares.s, with both arrays addressed by one register, four vectors at a time.
        .arguments
        .tensor x, f32, [n], in
        .tensor z, f32, [n], in
        .tensor y, f32, [n], out
        .include "../common.inc"

        .smem
        .align 16
frame:  .space 48                       # three copy descriptors

        .equ half, VMEM_ROWS / 2        # rows from x to z

        .text
        .linear start
        %frame = mov frame
        s3 = mov 0                      # where `describe_rows` counts from
        %x = mov 0                      # entries of the tensors
        %z = mov 16
        %y = mov 32
        %bytes = sld [%x + argument_bytes]
        %words = shr %bytes, 2
        %rounds = add %words, 32 * LANES - 1
        %rounds = shr %rounds, log2(32 * LANES)
        %rows = shl %rounds, 5          # of each array
        describe 0, hbm, vmem, 1
        describe_tensor 0, copy_source, %x
        describe_rows 0, copy_target
        sst [%frame + copy_length], %bytes
        describe 16, hbm, vmem, 1
        describe_tensor 16, copy_source, %z
        describe_rows 16, copy_target, half
        sst [%frame + 16 + copy_length], %bytes
        describe 32, vmem, hbm, 2
        describe_tensor 32, copy_target, %y
        describe_rows 32, copy_source
        sst [%frame + 32 + copy_length], %bytes

        # z is `half` rows after x; the last four vectors of each are cleared
        %zero = vmov 0
.rept 4, i
        vst [%rows - 8 - 8 * \i], %zero
        vst [%rows - 8 - 8 * \i + half], %zero
.endr
        copy [%frame], s0, s0
        copy [%frame + 16], s0, s0
        wait f1, 2

        %at = mov 0
        %left = mov %rounds
loop:
.rept 4, i
        %a\i = vld [%at + 8 * \i]
        %b\i = vld [%at + 8 * \i + half]
        %square\i = vmul.f32 %a\i, %a\i
        %sum\i = vadd.f32 %square\i, %b\i
        vst [%at + 8 * \i], %sum\i
.endr
        %at = add %at, 32
        %left = sub %left, 1
        %again = ne %left, 0
        @%again br loop

        copy [%frame + 32], s0, s0
        wait f2, 1
        halt
        .endlinear
