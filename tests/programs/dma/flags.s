# fset, fadd and wait: constants of both signs, registers, wrap-around, the signed comparison.
# expect: f0 = 0xffffffff
# expect: f1 = 0x80000000
# expect: f2 = 4
# expect: f3 = -256
# expect: f4 = 255
# expect: f5 = 0x12345678
# expect: f6 = 5
# expect: f8 = 2
# expect: f9 = 8
# expect: f31 = 0xfffffffe
# expect: s4 = 1

        { sa: s1 = mov 0x80000000 ; sb: s2 = mov 0x7fffffff }
        { dma: fset f0, -1 ; sa: s3 = mov 0x12345678 }
        { dma: fset f1, s2 }
        { dma: fadd f1, 1 }                     # wraps to the negative
        { dma: fset f2, 9 }
        { dma: fadd f2, -5 }
        { dma: fset f3, -256 }
        { dma: fset f4, 255 }
        { dma: fset f5, s3 }
        { dma: fset f31, s2 }
        { dma: fadd f31, s2 }
        { dma: wait f0, -1 }                    # equal
        { dma: wait f0, -2 }                    # greater, both negative
        { dma: wait f1, s1 }
        { dma: wait f2, 4 }
        { dma: wait f2, -256 }
        { dma: wait f4, s0 }
        { dma: wait f5, s3 }
        { dma: wait f1, 1 }                     # 0x80000000 - 1 wraps to the positive
        { dma: wait f7, 0 }                     # never touched
        { dma: fadd f6, 2 ; sa: s5 = mov 3 }
        { dma: fadd f6, s5 ; sa: s4 = mov 1 }
        { dma: wait f6, 5 }
        s6 = mov 7
        { dma: fset f[s6 + 1], 3 ; sa: s6 = mov 8 }     # the register from before the bundle
        { dma: fadd f[s6], -1 }
        { dma: fadd f[s6 + 1], s6 }
        { dma: wait f[s6], 2 }
        { dma: wait f[s6 + 1], 8 }
        halt
