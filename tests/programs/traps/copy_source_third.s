# A source in SMEM that leaves it by its third dimension alone.
# expect: trap address_range dma 2 pc here
# expect: f1 = 0

        .include "../common.inc"
        describe fetch_descriptor, SMEM_TO_SMEM | FLAG, 1, 4 * SMEM_WORDS - 4, 800, 4, n3=2, s3=4
here:   { dma: copy [fetch_descriptor], s0, s0 }
        halt
