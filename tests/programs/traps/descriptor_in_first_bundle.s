# A copy in the first bundle of all: nothing but the start has told what looks at descriptors to begin at
# the first word. SMEM is zero, and a flag cannot be raised by 0.
# expect: trap bad_descriptor dma 1 pc 0
# expect: f0 = 0

        { dma: copy [0], s0, s0 }
        { dma: wait f0, 0 }
        halt
