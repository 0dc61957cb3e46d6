# A copy reads what a store in its own bundle writes, although that store has to come after a load that
# is in a circle of operations, each of which wants the other's old register.
# expect: v1 = 1
# expect: v3 = 1
# expect: hbm[target] = 2

        .include "common.inc"
        .bss
        .align  64
target: .space  ROW_BYTES
        .text
        describe d0, VMEM_TO_HBM | FLAG, 1, 0, lo(target), ROW_BYTES
        { va: v5 = vmov 1 ; vb: v1 = vmov s0 ; sa: s6 = mov 8 }
        { st: vst [0], v5 ; va: v5 = vmov 2 ; vb: v3 = vmov s0 }
        { ld: v1 = vldx [0], v3, s6 ; st: vst [0], v5 ; xu: v3 = exp2 v1 ; dma: copy [d0], s0, s0 }
        { dma: wait f1, 1 ; va: v3 = vtrunc.s32.f32 v3 }
        halt
