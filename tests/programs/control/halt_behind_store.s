# Nothing else is on its way when a store of one cycle issues with the halt: the end waits for it.
# expect: vmem[0] = 7
# expect: vmem[7] = 7

        { va: v1 = vmov 7 }
        { idle 300 }
        { st: vst [0], v1 ; sa: halt }
