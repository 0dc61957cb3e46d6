# Strides beyond 1,023 rows, up and down. Rows 1,024 apart share a bank and take a cycle each.
# expect: v3 = r == 0 ? 5 : r == 1 ? 6 : 0
# expect: v4 = r == 0 ? 6 : r == 1 ? 5 : 0
# expect: v5 = r < 2 ? 11 : 0
# expect: vmem[2] = 5
# expect: vmem[1202] = 6

        { va: v1 = vmov 5 ; vb: v2 = vmov 6 ; sa: s4 = mov 1024 }
        { st: vst [0], v1, rows=1 }
        { st: vst [s4], v2, rows=1 }
        { ld: v3 = vld [0], rows=2, stride=1024 }
        { ld: v4 = vld [s4], rows=2, stride=-1024 }
        { va: v5 = vadd.s32 v3, v4 }
        { st: vst [2], v3, rows=2, stride=1200 }
        halt
