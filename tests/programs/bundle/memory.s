# A load in a store's bundle sees old data; the next sees new data; a register stored and loaded in
# one bundle; SMEM, VMEM and vector register at the same time.
# expect: v3 = 1
# expect: v4 = 2
# expect: v2 = 2
# expect: v5 = 2
# expect: vmem[r] = 2
# expect: vmem[8 + r] = 2

        { sa: s1 = mov 1 ; sb: s2 = mov 2 }
        { va: v1 = vmov s1 ; vb: v2 = vmov s2 }
        { st: vst [0], v1 }
        { st: vst [0], v2 ; ld: v3 = vld [0] }
        { ld: v4 = vld [0] ; va: v5 = vmov v2 }
        { st: vst [8], v5 ; ld: v5 = vld [0] }
        halt
