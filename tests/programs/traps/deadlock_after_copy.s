# A wait for more than the copies in flight will give: it holds until they are complete, then traps.
# expect: trap deadlock dma 1 pc here
# expect: smem[200] = 42
# expect: f1 = 3

        .include "../common.inc"
        .data
        .align  4
source: .u32    42
        .text
        describe fetch_descriptor, HBM_TO_SMEM | FLAG, 3, lo(source), 800, 4
        { dma: copy [fetch_descriptor], s0, s0 }
here:   { dma: wait f1, 4 }
        halt
