# append: rows of x after the rows that a cache has already: cache[position + i] = x[i], any type.
#   s4 x [n, ...], s5 cache [capacity, ...] with the same sizes after the first, s6 the position
# Traps when the rows do not fit (1). One copy within HBM.
        .parameter append, x, any, [n, ...], in
        .parameter append, cache, any, [capacity, ...], inout
        .parameter append, position, s32

        .include "common.inc"

        .global append
        .linear append
        %frame = sub s2, 16
        %n = sld [s4 + argument_sizes]
        %capacity = sld [s5 + argument_sizes]
.rept 3, i
        %size\i = sld [s4 + argument_sizes + 1 + \i]
        %like\i = sld [s5 + argument_sizes + 1 + \i]
        refuse_unless_equal %size\i, %like\i
.endr
        %end = add %n, s6
        %wraps = lt.u32 %end, %n
        %beyond = gt.u32 %end, %capacity
        %refused = por %wraps, %beyond
        @%refused trap kernel_wrong_sizes
        # words of a row: the pitch times the sizes between the first and the last
        %pitch = sld [s4 + argument_pitch]
        %words = shr %pitch, 2
        %rank = sld [s4 + argument_rank]
        %three = ge.u32 %rank, 3
        @%three %words = mul %words, %size0
        %four = ge.u32 %rank, 4
        @%four %words = mul %words, %size1
        %too_many = gt.u32 %rank, 4
        @%too_many trap kernel_wrong_sizes
        describe 0, hbm, hbm, 24
        describe_tensor 0, copy_source, s4
        describe_tensor 0, copy_target, s5
        %bytes = sld [s4 + argument_bytes]
        sst [%frame + copy_length], %bytes
        %to = mul %words, s6
        copy [%frame], s0, %to
        wait f24, 1
        fset f24, 0
        ret s1
        .endlinear

        .scratch append, kernel_rows, 512
