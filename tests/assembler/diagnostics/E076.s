        .linear
        .rept   8, i
        %p\i = eq s4, \i
        .endr
        .rept   8, i
        @%p\i s5 = mov \i
        .endr
        .endlinear
        .linear
        %a = mxread a[s4]
        mxmul.bf16 %acc, %a.f32
        .endlinear
