# Copies within HBM, one of them across a boundary of 4 KiB in both places.
# expect: hbm[near] = 0, 3000, 3001, 3002, 0
# expect: hbm[far + 4096 - 100] = 3010
# expect: hbm[far + 4096 - 4] = 3034, 3035, 3036
# expect: hbm[far + 4096 + 96] = 3059, 0

        .include "common.inc"
        .data
        .align  4096
        .space  4096 - 80
source: numbers 100, 3000
        .bss
        .align  4096
near:   .space  20
        .align  4096
far:    .space  8192
        .text

        describe d0, FLAG, 1, lo(source), lo(near + 4), 12
        copy_and_wait d0, 1
        describe d0, FLAG, 1, lo(source + 40), lo(far + 3996), 200
        copy_and_wait d0, 2
        halt
