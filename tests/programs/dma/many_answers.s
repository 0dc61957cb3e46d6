# More copies to HBM than may wait for their answers, each of one word and all of one flag.
# expect: hbm[target] = 500, 501, 502, 503
# expect: hbm[target + 4 * 59] = 559
# expect: hbm[target + 4 * 60] = 0
# expect: f1 = 60

        .include "common.inc"
        .bss
        .align  4096
target: .space  4096
        .smem
words:  .space  64
        .text
        .rept   60, i
        put     words + \i, 500 + \i
        .endr
        describe d0, SMEM_TO_HBM | FLAG, 1, 4 * words, lo(target), 4
        p1 = eq s0, s0
next:   { dma: copy [d0], s4, s4 ; sa: s4 = add s4, 1 ; sb: p1 = lt.u32 s4, 59 }
        @p1 br  next
        { dma: wait f1, 60 }
        halt
