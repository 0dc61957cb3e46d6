# An operation that is not executed uses nothing.
# expect: s5 = 5

        { va: v1 = vlane ; sa: s4 = mov 1 }
        { va: @p1 v2 = vadd.s32 v9, v9 ; xu: @p1 v3 = exp2 v9 }
        { mx: @p1 mxmul.bf16 a0, v9.f32 ; va: @p1 m1 = veq.f32 v9, v9 }
        s5 = mov 5
        halt
