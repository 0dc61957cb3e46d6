# A copy from SMEM to HBM, of words stored just before; the word beside them stays.
# expect: hbm[target] = 11, 22, 33, 4

        .include "common.inc"
        .data
        .align  4
target: numbers 4, 1
        .text

        describe d0, SMEM_TO_HBM | FLAG, 1, 800, lo(target), 12
        put     200, 11
        put     201, 22
        { sa: s4 = mov 33 ; sb: s5 = mov 0 }
        { sb: sst [202], s4 ; dma: copy [d0], s0, s0 }      # starts after its bundle's store
        { dma: wait f1, 1 }
        halt
