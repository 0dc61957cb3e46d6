        .data
a:      .u32    a + b
        .u32    a * 3
        .u32    ~a
        .u32    a / 2
        .u32    lo(a) + 1
        .u32    -lo(a)
b:      .u32    1.5 - b
        .u64    lo(a)
        .text
        s1 = mov b - c
        s1 = mov a*2 - b*4
        .vmem
c:
