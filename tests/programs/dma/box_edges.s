# Boxes that end exactly at the end of a memory, or begin exactly at its begin, in each of the three
# dimensions and with strides of either sign: none of them traps.
# expect: f1 = 8
# expect: smem[SMEM_WORDS - 1] = 105
# expect: smem[SMEM_WORDS - 4] = 105
# expect: smem[SMEM_WORDS - 10] = 104

        .include "common.inc"
        .data
        .align  4
source: numbers 8, 100
        .text

        .equ    END, 4 * SMEM_WORDS
        # Ends of SMEM as destination: dimension 1, 2 and 3, upwards.
        describe d0, HBM_TO_SMEM | FLAG, 1, lo(source), END - 20, 8, n1=2, s1=0, d1=12
        copy_and_wait d0, 1
        describe d0, HBM_TO_SMEM | FLAG, 1, lo(source + 8), END - 20, 8, n2=2, s2=0, d2=12
        copy_and_wait d0, 2
        describe d0, HBM_TO_SMEM | FLAG, 1, lo(source + 16), END - 20, 8, n3=2, s3=0, d3=12
        copy_and_wait d0, 3
        # And as source, downwards from its last words.
        describe d0, SMEM_TO_SMEM | FLAG, 1, END - 4, END - 40, 4, n1=2, s1=-12, d1=4
        copy_and_wait d0, 4
        describe d0, SMEM_TO_SMEM | FLAG, 1, END - 4, END - 40, 4, n2=2, s2=-12, d2=4
        copy_and_wait d0, 5
        describe d0, SMEM_TO_SMEM | FLAG, 1, END - 8, END - 40, 4, n3=2, s3=-12, d3=4
        copy_and_wait d0, 6
        # All of VMEM's last and first rows.
        describe d0, VMEM_TO_VMEM | FLAG, 1, (VMEM_ROWS - 8) * ROW_BYTES, 7 * ROW_BYTES, ROW_BYTES, n1=2, s1=ROW_BYTES, d1=-ROW_BYTES, n2=2, s2=2 * ROW_BYTES, d2=-2 * ROW_BYTES, n3=2, s3=4 * ROW_BYTES, d3=-4 * ROW_BYTES
        copy_and_wait d0, 7
        describe d0, VMEM_TO_VMEM | FLAG, 1, 7 * ROW_BYTES, (VMEM_ROWS - 8) * ROW_BYTES, ROW_BYTES, n1=2, s1=-ROW_BYTES, d1=ROW_BYTES, n2=2, s2=-2 * ROW_BYTES, d2=2 * ROW_BYTES, n3=2, s3=-4 * ROW_BYTES, d3=4 * ROW_BYTES
        copy_and_wait d0, 8
        halt
