        s32 = mov 1
        v1 = vadd.f32 v64, v2
        @p8 halt
        wait f32, 1
