        .parameter f, n0, s32
        .parameter f, n1, s32
        .parameter f, n2, s32
        .parameter f, n3, s32
        .parameter f, n4, s32
        .parameter f, n5, s32
        .parameter f, n6, s32
        .parameter f, n7, s32
        .parameter f, n8, s32
f:      ret s1
