# A source that its offset takes out of VMEM; offsets are unsigned.
# expect: trap address_range dma 2 pc here
# expect: s5 = 0
# expect: f1 = 0

        .include "../common.inc"
        describe fetch_descriptor, HBM_TO_SMEM | FLAG, 1, 65536, 800, 4
        put     fetch_descriptor + 0, VMEM_TO_SMEM | FLAG
        put     fetch_descriptor + 2, 8
        s4 = mov -1
        { dma: @p1 copy [fetch_descriptor], s0, s0 }      # not done
here:   { dma: copy [fetch_descriptor], s4, s0 ; sa: s5 = mov 1 }
        halt
