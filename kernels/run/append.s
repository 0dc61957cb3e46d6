# Rows after those of a cache; their position is a tensor of one number.
        .arguments
        .tensor x, bf16, [n, heads, size], in
        .tensor cache, bf16, [capacity, heads, size], inout
        .tensor position, s32, [1], in
        .include "../append.s"
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
        %frame = mov fetch
        describe 0, hbm, smem, 24
        %entry = mov 32
        describe_tensor 0, copy_source, %entry
        ssti [%frame + copy_target], number * 4
        ssti [%frame + copy_length], 4
        copy [%frame], s0, s0
        wait f24, 1
        fset f24, 0
        s4 = mov 0
        s5 = mov 16
        s6 = sld [number]
        .endlinear
        s1 = call append
        halt
