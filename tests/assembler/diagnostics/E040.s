        v1 = vmull.f32 v2, v3
        { va: v1 = vmul.f32 v2, v3 ; s1 = frobnicate s2 }
        ADD s1, s2
