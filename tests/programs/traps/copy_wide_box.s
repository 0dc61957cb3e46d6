# A bounding box wider than 64 bits of address does not wrap: three dimensions of 2^31 - 1 runs, 2^31 - 4 apart.
# expect: trap address_range dma 2 pc here
# expect: s5 = 0
# expect: f1 = 0

        .include "../common.inc"
        describe fetch_descriptor, HBM_TO_SMEM | FLAG, 1, 65536, 800, 4, n1=0x7fffffff, s1=0x7ffffffc, n2=0x7fffffff, s2=0x7ffffffc, n3=0x7fffffff, s3=0x7ffffffc
        { dma: @p1 copy [fetch_descriptor], s0, s0 }      # not done
here:   { dma: copy [fetch_descriptor], s0, s0 ; sa: s5 = mov 1 }
        halt
