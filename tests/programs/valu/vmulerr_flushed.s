# vmulerr.f32 of products that are flushed although they round up, in their last digit, to the exponent
# just below the smallest: all of the product is left out, and that is a zero of the product's sign.
# expect: v3 = 0
# expect: v4 = 0x80000000
# expect: v5 = 0

        { va: v1 = vmov 0x009132d8 ; vb: v2 = vmov 0x3f48dbac }
        { va: v3 = vmulerr.f32 v1, v2 ; vb: v6 = vmov 0xbf48dbac }
        { va: v4 = vmulerr.f32 v1, v6 ; vb: v5 = vmul.f32 v1, v2 }
        halt
