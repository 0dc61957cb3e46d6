# An index that was never written is a use, where its row may take part.
# expect: uninitialised pc here

        { sa: s4 = mov 8 ; va: v1 = vmov 0 }
        { st: vst [0], v1 }
        { ld: v3 = vldx [0], v2, s4, mask=!m0 }
here:   { ld: v3 = vldx [0], v2, s4, rows=1 }
        halt
