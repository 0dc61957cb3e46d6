        .linear                         # each needs the one before, the last is wanted first
        %p0 = eq s4, 0
        %p1 = pand %p0, !%p0
        %p2 = pand %p1, !%p1
        %p3 = pand %p2, !%p2
        %p4 = pand %p3, !%p3
        %p5 = pand %p4, !%p4
        %p6 = pand %p5, !%p5
        %p7 = pand %p6, !%p6
        s5 = sel %p7, s5, 1
        s5 = sel %p6, s5, 1
        s5 = sel %p5, s5, 1
        s5 = sel %p4, s5, 1
        s5 = sel %p3, s5, 1
        s5 = sel %p2, s5, 1
        s5 = sel %p1, s5, 1
        s5 = sel %p0, s5, 1
        .endlinear
        .linear
        %a = mxread a[s4]
        mxmul.bf16 %acc, %a.f32
        .endlinear
