# A weight row that is not below L; nothing is pushed.
# expect: trap address_range mx LANES pc here

        { sa: s4 = mov LANES ; va: v1 = vmov s0 }
        { mx: @p1 mxpush [s4], v1.f32 }         # not done
here:   { mx: mxpush [s4], v1.f32 }
        halt
