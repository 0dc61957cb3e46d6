# A copy within VMEM passes the mark on.
# expect: uninitialised pc here

        .include "../common.inc"
        { va: v1 = vlane ; sa: s4 = mov 1 }
        describe fetch_descriptor, VMEM_TO_VMEM | FLAG, 1, 0, 8 * ROW_BYTES, 2 * ROW_BYTES
        { st: vst [0], v1, rows=1 }
        { dma: copy [fetch_descriptor], s0, s0 }
        { dma: wait f1, 1 }
        v2 = vld [8], rows=1
        v2 = vadd.s32 v2, v2
        v3 = vld [8], rows=2
here:   { va: v3 = vadd.s32 v3, v3 }
        halt
