# An element extracted by the XLU, used by the very next bundle in every operand that takes a scalar.
# expect: s11 = 17
# expect: s12 = 0x00100000
# expect: p1 = 1
# expect: smem[208] = 16
# expect: v1 = 16
# expect: v2 = 16 + j
# expect: v3 = r * LANES + j
# expect: m1 = r * LANES + j < 16
# expect: v4 = 16 + r
# expect: v5 = r == 0 ? 16 / LANES : 0
# expect: vmem[32 + r] = j
# expect: a17 = LANES
# expect: v6 = LANES
# expect: v7 = 16 % LANES
# expect: s13 = 16
# expect: f1 = 16
# expect: f2 = 16
# expect: f3 = 2
# expect: smem[300] = 700
# expect: smem[316] = 716
# expect: s14 = 16
# expect: s15 = 16
# expect: s16 = 16
# expect: s17 = again_after

        .include "s_setup.inc"
        .macro  produce
        { xu: s10 = extract v62, 16 }
        .endm
        .include "s_consumers.inc"
        halt
