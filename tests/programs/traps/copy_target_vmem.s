# A destination that ends beyond VMEM.
# expect: trap address_range dma 4 pc here
# expect: s5 = 0
# expect: f1 = 0

        .include "../common.inc"
        describe fetch_descriptor, HBM_TO_VMEM | FLAG, 1, 65536, VMEM_ROWS * ROW_BYTES - 4, 8
        { dma: @p1 copy [fetch_descriptor], s0, s0 }      # not done
here:   { dma: copy [fetch_descriptor], s0, s0 ; sa: s5 = mov 1 }
        halt
