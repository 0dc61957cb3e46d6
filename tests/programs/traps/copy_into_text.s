# A destination in HBM that overlaps the text by one word.
# expect: trap address_range dma 5 pc here
# expect: s5 = 0
# expect: f1 = 0

        .include "../common.inc"
        describe fetch_descriptor, FLAG, 1, lo(source), 65536 - 4, 8
        .bss
source: .space  8
        .text
        { dma: @p1 copy [fetch_descriptor], s0, s0 }      # not done
here:   { dma: copy [fetch_descriptor], s0, s0 ; sa: s5 = mov 1 }
        halt
