# VMEM that was never written, through a load.
# expect: uninitialised pc here

        { va: v1 = vlane ; sa: s4 = mov 1 }
        v2 = vld [5], rows=1
        v3 = vrot.sub v2, 1
here:   { va: v4 = vor v3, v1 }
        halt
