# A length or count of zero copies nothing, looks at no address, and still adds to the flag.
# expect: f1 = 1 + 2 + 3 + 4
# expect: hbm[target] = 1, 2, 3, 4
# expect: s4 = 4

        .include "common.inc"
        .data
        .align  4
target: numbers 4, 1
        .text

        describe d0, HBM_TO_SMEM | FLAG, 1, lo(target), 0x7ffffffc, 0
        copy_and_wait d0, 1
        describe d0, VMEM_TO_HBM | FLAG, 2, 0, lo(target), 4, n1=0, s1=4, d1=4
        copy_and_wait d0, 3
        describe d0, VMEM_TO_HBM | FLAG, 3, 0x7ffffffc, lo(target), 4, n2=0, s2=0x7ffffffc, d2=4
        copy_and_wait d0, 6
        describe d0, VMEM_TO_HBM | FLAG, 4, 0, lo(target), 4, n1=0x7fffffff, n2=0x7fffffff, n3=0
        copy_and_wait d0, 10
        s4 = mov 4
        halt
