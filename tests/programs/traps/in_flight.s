# Everything in flight at a trap completes: a copy, an EUP result, a scalar load, a multiply.
# expect: trap explicit_trap sa 1 pc here
# expect: smem[200] = 42
# expect: f1 = 1
# expect: v2 = 1.0
# expect: s6 = 42
# expect: a0 = 0
# expect: v3 = j

        .include "../common.inc"
        .data
        .align  4
source: .u32    42
        .text
        describe fetch_descriptor, HBM_TO_SMEM | FLAG, 1, lo(source), 800, 4
        put     300, 42
        { va: v1 = vmov s0 ; vb: v4 = vlane }
        .rept   LANES / 8, i
        mxpush  8 * \i, v1.b0
        .endr
        { mx: mxmul.s8 a0, v1.b0, swap ; dma: copy [fetch_descriptor], s0, s0 ; xu: v2 = exp2 v1 }
        { st: vst [0], v4 ; sb: s6 = sld [300] }
        { ld: v3 = vld [0] ; sb: s7 = mov 7 }
here:   { sa: trap 1 ; sb: s6 = mov 99 ; va: v3 = vmov s0 }
        halt
