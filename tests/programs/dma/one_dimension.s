# One dimension of runs: gather, scatter, negative strides, stride zero at the source.
# expect: hbm[gathered] = 100, 101, 110, 111, 120, 121, 130, 131
# expect: hbm[scattered] = 100, 0, 0, 101, 0, 0, 102, 0
# expect: hbm[backwards] = 103, 102, 101, 100
# expect: hbm[repeated] = 105, 106, 105, 106, 105, 106

        .include "common.inc"
        .data
        .align  4
source: numbers 40, 100
        .bss
        .align  4
gathered: .space 32
scattered: .space 32
backwards: .space 16
repeated: .space 24
        .text

        describe d0, FLAG, 1, lo(source), lo(gathered), 8, n1=4, s1=40, d1=8
        copy_and_wait d0, 1
        describe d0, FLAG, 1, lo(source), lo(scattered), 4, n1=3, s1=4, d1=12
        copy_and_wait d0, 2
        describe d0, FLAG, 1, lo(source), lo(backwards + 12), 4, n1=4, s1=4, d1=-4
        copy_and_wait d0, 3
        describe d0, FLAG, 1, lo(source + 20), lo(repeated), 8, n1=3, s1=0, d1=8
        copy_and_wait d0, 4
        halt
