        .target nano
        .text
        br   table
        v1 = vld [table + 3]
        s1 = sld [rows]
        copy [rows + 16], s0, s0
        s2 = sld [words]
        v2 = vld [next]
        vst  [x.entry], v2
next:
        halt
        .tensor x, f32, [4], in
        .smem
table:  .space 4
        .vmem
rows:   .space 4
        .data
words:  .u32 1
