# Weights that were never pushed.
# expect: uninitialised pc here

        { va: v1 = vlane ; sa: s4 = mov 1 }
        v2 = vmov s0
here:   { mx: mxmul.bf16 a0, v2.f32 }
        halt
