# One of everything: the text that fuzz.cpp breaks.
        .target small
        .tensor x, f32, [rows, cols], in
        .tensor y, f32, [rows, LANES*2], out
        .parameter _start, t, any, [rows, ...], inout
        .parameter _start, n, s32
        .scratch _start, 8, 16
        .equ  N, 4*LANES
        .reg ptr, s10
        .macro LOADADD dst, src=s4, off=0   # a macro
loop_\@:
        { ld: \dst = vld [\src + \off], rows=5, mask=!m1 ; sa: \src = add \src, 8 }
        br loop_\@
        .endm
        .macro MAC acc, a, b
        \acc = vmul.f32 \a, \b.lo
        .endm
        .text
_start:
next:   { ld: v1 = vld [s10 + 0] ; va: v2 = vmul.f32 v1, v1 ; sa: s10 = add s10, 8 }
        { va: v3 = vadd.f32 v3, v2 ; sb: p1 = lt.s32 s10, s11 }
        { sa: @p1 br next }            # @!p1 negates
        s4 = mov 5                     // a bundle of one operation
        {}
        { s5 = add s5, N
          ; @!p1 br done
          ; MAC v5, v6, v7 ; v8 = exp2 v9 }
        LOADADD v3, off=buf
        LOADADD v4, ptr, -3
        s6 = mov 1.5f
        s7 = mov lo(table)
        s8 = mov hi(table + 4)
        s9 = mov x.entry
        s9 = mov y.entry + 8
        s12 = mov buf2*LANES*4
        s13 = sld [desc + 3]
        sst [s2 - 4], s13
        s14 = csr cycles_lo
        copy [desc], s4, s5
        wait f3, 7
        mxpush 8, v3.b2
        mxpush [s3 + 8], v3.lo
        mxmul.bf16 a[s3 + 5], v3.f32, rows=3, add, swap
        mxmul.s8 a5, v3.b1
        v9 = mxread a63
        s20 = extract v3, 17
        p3 = pand !p1, p2
        m2 = mor !m3, m0
        v3 = vsel !m3, v4.hi, s5
        vst [s3 - 8], v3, stride=-2
        .rept 3, i
        s\()2\i = mov \i
        .endr
done:   halt
        .data
table:  .f32 1.0, -2.5, INF
        .bf16 1.0, 2
        .u64 table, buf
        .u32 lo(table), done, hi(table)
        .s8 -1, 2, 3
        .ascii "hi\n"
        .space 100
        .vmem
buf:    .space 8*4
buf2:   .space 8
        .smem
        .space 3
        .align 16
desc:   .space 16
        .bss
big:    .space 1<<20
