# vmul.f32 and vmulerr.f32 of the NaN next to infinity, on either side, and of a product that only its
# rounding takes to infinity: it leaves nothing out.
# expect: v11 = 0x7fc00000
# expect: v12 = 0x7fc00000
# expect: v13 = 0x7fc00000
# expect: v14 = 0x7fc00000
# expect: v15 = 0x7f800000
# expect: v16 = 0

        { va: v1 = vmov 0x7f800001 ; vb: v2 = vmov 0x3f800000 }
        { va: v11 = vmul.f32 v1, v2 ; vb: v12 = vmul.f32 v2, v1 }
        { va: v13 = vmulerr.f32 v1, v2 ; vb: v3 = vmov 0x7f000001 }
        { va: v14 = vmulerr.f32 v2, v1 ; vb: v4 = vmov 0x3ffffffe }
        { va: v16 = vmulerr.f32 v3, v4 ; vb: v15 = vmul.f32 v3, v4 }
        halt
