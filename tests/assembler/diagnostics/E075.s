        .linear
        %sum = vlane
        %sum = vadd.s32 %sun, %sum
        @%done halt
        .endlinear
