# Nothing else is on its way when a store to SMEM issues with the halt: the end waits until it retires.
# expect: smem[3] = 7

        s1 = mov 7
        { idle 300 }
        { sb: sst [3], s1 ; sa: halt }
