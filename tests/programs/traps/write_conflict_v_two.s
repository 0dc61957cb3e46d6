# Two pairs of slots conflict; that of the lower register counts, though the other slots come first:
# { va: v1 = vlane ; vb: v5 = vlane ; ld: v5 = vld [0] ; mx: v1 = mxread a0 }.
# expect: trap write_conflict mx 769 pc here
# expect: v1 = 5

        s4 = mov 5
        v1 = vmov s4
here:   .bundle 0, 0, 0, 0, 0x102c, 0, 0x502c, 0, 0x38005001, 0x10000, 0, 0, 0x5, 0x40, 0, 0
        halt
