# A linear block with weights, virtual accumulators and masks: twice the identity times x.
# expect: v50 = r + j < 8 ? r + j : (r + j) * 2
# expect: s10 = 28
        .linear
        %lane = vlane
        %row = vsublane
        %x = vadd.s32 %lane, %row
        %small = mov 8
        %m = vlt.s32 %x, %small
        %xf = vcvt.f32.s32 %x
        %r = mov 0
        %two = mov 2.0
        %zero = mov 0
push:   %k = vadd.s32 %row, %r
        %on = veq.s32 %k, %lane
        %w = vsel %on, %two, %zero
        mxpush [%r], %w.f32
        %r = add %r, 8
        %p = lt.s32 %r, LANES
        @%p br push
        mxmul.bf16 %acc, %xf.f32, swap
        %y = mxread %acc
        %yi = vcvt.s32.f32 %y
        v50 = vsel %m, %x, %yi
        %sum = lsum.s32 %x
        %none = vsub.s32 %sum, %sum
        %first = vsel %m, %x, %none
        %total = lsum.s32 %first
        s10 = extract %total, 0
        halt
        .endlinear
