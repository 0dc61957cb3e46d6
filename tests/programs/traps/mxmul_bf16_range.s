# An accumulator index that wraps below 0.
# expect: trap address_range mx 0xffffffff pc here

        { sa: s4 = mov -3 ; va: v1 = vmov s0 }
here:   { mx: mxmul.bf16 a[s4 + 2], v1.f32 }
        halt
