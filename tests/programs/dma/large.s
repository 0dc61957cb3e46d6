# Copies of many beats: 12 KiB and more, begun inside a beat, there and back.
# expect: hbm[back] = 0, 5000, 5001, 5002
# expect: hbm[back + 4 + 4 * 1500] = 6500
# expect: hbm[back + 4 + 4 * 3070] = 8070, 8071, 0
# expect: s4 = 5000 + 3071

        .include "common.inc"
        .data
        .align  4096
        .space  20
source: numbers 3072, 5000
        .bss
        .align  4096
back:   .space  12296
        .text

        describe d0, HBM_TO_VMEM | FLAG, 1, lo(source), 36, 12288
        describe d1, VMEM_TO_HBM | FLAG, 1, 36, lo(back + 4), 12288
        copy_and_wait d0, 1
        copy_and_wait d1, 2
        { sa: s5 = mov 9 + 3071 }
        { ld: v1 = vldc [s5], rows=1 }
        { xu: s4 = extract v1, 0 }
        halt
