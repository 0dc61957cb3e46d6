# Linear blocks: loops, predicated writes, masks, the matrix unit, a call, all on virtual registers.
# expect: s10 = 36
# expect: s11 = 120
# expect: s12 = 5
# expect: v40 = (j + 8 * 7 + r) * 3
# expect: smem[table] = 0, 1, 4, 9, 16, 25, 36, 49
        .vmem
rows:   .space  64
        .smem
table:  .space  8
        .text
        .entry  main
        .linear factorial               # s4: n, s5: its factorial
        %product = mov 1
        %n = mov s4
again:  %product = mul %product, %n
        %n = sub %n, 1
        %more = gt.s32 %n, 1
        @%more br again
        s5 = mov %product
        ret s1
        .endlinear

main:   { sa: s4 = mov 5 }
        { sa: s1 = call factorial }
        s11 = mov s5
        .linear
        %lane = vlane
        %sub = vsublane
        %at = vadd.s32 %lane, %sub
        %three = mov 3
        %i = mov 0
fill:   %x = vadd.s32 %at, %i
        %y = vmul.s32 %x, %three
        vst [%i + rows], %y
        %i = add %i, 8
        %p = lt.s32 %i, 64
        @%p br fill
        v40 = vld [%i + rows - 8]

        %sum = mov 0
        %i = mov 1
sums:   %sum = add %sum, %i
        %i = add %i, 1
        %p = le.s32 %i, 8
        @%p br sums
        s10 = mov %sum

        %i = mov 0
square: %q = mul %i, %i
        sst [%i + table], %q
        %i = add %i, 1
        %p = ne %i, 8
        @%p br square

        %big = gt.s32 %sum, 30          # one of two predicated writes is done
        @%big %c = mov 5
        @!%big %c = mov 6
        s12 = mov %c
        halt
        .endlinear
