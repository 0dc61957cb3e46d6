        .linear
        %x = mov 1
        %y = vmov %x.lo
        %x = vmov %x
        vst [%y], %x
        @%x halt
        .endlinear
        .linear
        %x = mov 1                      # another block, another %x
        %m = veq.s32 %x, %x
        %y = vadd.s32 %m, %x
        .endlinear
