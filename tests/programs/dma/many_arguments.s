# A long argument block comes while fetch and prefetch already ask for text: where memory takes few
# requests at a time, prefetches wait after copies from the first one on since the start.
# expect: smem[2] = 2, 1, 1, 1, 1, 1, 4, 4, 0, 1, 1, 1, 1
# expect: smem[119 * 16 + 2] = 2, 1, 1, 1, 1, 1, 4, 4, 0, 1, 1, 1, 1
# expect: smem[120 * 16] = 0
# expect: s2 = 100

        .arguments
.rept 120, i
        .tensor t\i, s32, [1], out
.endr
        .text
.rept 100, i
        s2 = add s2, 1
.endr
        halt
