# A negative stride leaves VMEM at its lower end.
# expect: trap address_range ld 0xffffffff pc here

        v1 = vlane
        { sa: s4 = mov 2 ; st: vst [0], v1 }
        { ld: v3 = vld [s4], rows=3, stride=-1 }
here:   { ld: v2 = vld [s4], rows=5, stride=-1 }
        halt
