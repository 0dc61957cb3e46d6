# Every instruction while more copies are outstanding than the queue holds, and a halt that they outlive.
# expect: hbm[target + 4] = 9
# expect: f1 = 12

        .include "../common.inc"
        .include "every.inc"
        .equ    BYTES, 16384
        .smem
        .align  16
d0:     .space  16
        .data
        .align  16
source: .u32    7, 9
        .space  12 * BYTES
        .bss
        .align  16
target: .space  12 * BYTES
        .text

        describe d0, FLAG, 1, lo(source), lo(target), BYTES
        prepare
        s4 = mov BYTES / 4
        .rept   12
        { dma: copy [d0], s5, s5 ; sa: s5 = add s5, s4 }
        .endr
        every
        halt
