# y = x^2 + z, for vectors of any length that fit VMEM three times. See the tutorial.
        .arguments
        .tensor x, f32, [n], in
        .tensor z, f32, [n], in
        .tensor y, f32, [n], out
        .include "../common.inc"

        .smem
        .align 16
frame:  .space 48                       # three copy descriptors

        .text
        .linear start
        %frame = mov frame
        s3 = mov 0                      # where `describe_rows` counts from
        %x = mov 0                      # entries of the tensors
        %z = mov 16
        %y = mov 32
        %bytes = sld [%x + argument_bytes]
        %words = shr %bytes, 2
        %vectors = add %words, 8 * LANES - 1
        %vectors = shr %vectors, log2(8 * LANES)
        %rows = shl %vectors, 3         # of each array
        describe 0, hbm, vmem, 1
        describe_tensor 0, copy_source, %x
        describe_rows 0, copy_target
        sst [%frame + copy_length], %bytes
        describe 16, hbm, vmem, 1
        describe_tensor 16, copy_source, %z
        describe_rows 16, copy_target
        sst [%frame + 16 + copy_length], %bytes
        describe 32, vmem, hbm, 2
        describe_tensor 32, copy_target, %y
        describe_rows 32, copy_source
        sst [%frame + 32 + copy_length], %bytes

        # z is after x; the last vector of each is cleared, the copies may not fill it
        %z_words = mul %rows, LANES
        %zero = vmov 0
        vst [%rows - 8], %zero
        %last = shl %rows, 1
        vst [%last - 8], %zero
        copy [%frame], s0, s0
        copy [%frame + 16], s0, %z_words
        wait f1, 2

        %x_at = mov 0
        %z_at = mov %rows
        %left = mov %vectors
        .disjoint %x_at, %z_at          # the arrays lie apart
loop:   %a = vld [%x_at]
        %b = vld [%z_at]
        %square = vmul.f32 %a, %a
        %sum = vadd.f32 %square, %b
        vst [%x_at], %sum
        %x_at = add %x_at, 8
        %z_at = add %z_at, 8
        %left = sub %left, 1
        %again = ne %left, 0
        @%again br loop

        copy [%frame + 32], s0, s0
        wait f2, 1
        halt
        .endlinear
