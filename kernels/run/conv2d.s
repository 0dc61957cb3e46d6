# Convolution; `window` has stride_h, stride_w, pad_h, pad_w; the sizes of y come by --size.
        .arguments
        .tensor x, bf16, [images, height, width, channels], in
        .tensor k, bf16, [kernel_height, kernel_width, channels, outputs], in
        .tensor y, bf16, [images, rows, columns, outputs], out
        .tensor window, s32, [4], in
        .include "../conv2d.s"
        .smem
        .space 1024
        .align 16
stack:
number: .space 16
fetch:  .space 16
        .text
        .entry start
        .linear start
        s2 = mov stack
        s3 = mov 0
        %frame = mov fetch
        describe 0, hbm, smem, 24
        %entry = mov 48
        describe_tensor 0, copy_source, %entry
        ssti [%frame + copy_target], number * 4
        ssti [%frame + copy_length], 16
        copy [%frame], s0, s0
        wait f24, 1
        fset f24, 0
        s4 = mov 0
        s5 = mov 16
        s6 = mov 32
        s7 = sld [number]
        s8 = sld [number + 1]
        s9 = sld [number + 2]
        s10 = sld [number + 3]
        .endlinear
        s1 = call conv2d
        halt
