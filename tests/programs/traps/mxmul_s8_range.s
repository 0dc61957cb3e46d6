# An accumulator index of 127 by its constant alone: { mx: mxmul.s8 a127, v1.b0 } as words.
# expect: trap address_range mx 127 pc here

        v1 = vmov s0
here:   .bundle 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff01004, 0xe, 0, 0
        halt
