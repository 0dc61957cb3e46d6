# The contents of HBM at a start: the text, the data, zeros elsewhere.
# expect: smem[100] = 0x01020304, 0x05060708
# expect: smem[102] = 0, 0
# expect: smem[110] = 0x40001010, 0x12345678

        .include "../common.inc"
        .entry  start
        .data
        .align  4
bytes:  .u8     4, 3, 2, 1, 8, 7, 6, 5
        .bss
        .align  4096
zeros:  .space  4096
        .text
first:  { sa: s1 = mov 0x12345678 }             # bundle 0, read as data below
        trap    1
start:  describe fetch_descriptor, HBM_TO_SMEM | FLAG, 1, lo(bytes), 400, 8
        { dma: copy [fetch_descriptor], s0, s0 }
        { dma: wait f1, 1 }
        describe fetch_descriptor, HBM_TO_SMEM | FLAG, 1, lo(zeros + 1000), 408, 8
        { dma: copy [fetch_descriptor], s0, s0 }
        { dma: wait f1, 2 }
        describe fetch_descriptor, HBM_TO_SMEM | FLAG, 1, 0x10000, 440, 8
        { dma: copy [fetch_descriptor], s0, s0 }
        { dma: wait f1, 3 }
        halt
