# A scalar that a call, an SMEM load or the vector ALU makes, read by every slot so many bundles later, 1 to 12;
# an index from the EUP and from an accumulator alike. The calls come first: their PCs are addresses.
# expect: s10 = 16
# expect: v4 = 16
# expect: v5 = 16 + r
# expect: v7 = 16 % LANES
# expect: f1 = 16
# expect: v9 = f32(0.5)
# expect: v10 = 0

        br      prepare
calls:
        .rept   12, i
        s10 = call called_\i
        .endr
        br      results

        .macro  wait_bundles n
        .rept   \n, k
        s30 = mov \k
        .endr
        .endm
        # s10 in every slot; slot sa reads it in what comes next.
        .macro  consume
        { va: v4 = vmov s10 ; vb: v8 = vadd.s32 s10, v61 ; ld: v5 = vld [s10] ; st: vst [s10 + 24], v61
        ; mx: mxmul.s8 a[s10], v63.b0 ; xu: v7 = lbcast v61, s10 ; dma: fset f1, s10 ; sb: s11 = add s10, 1 }
        .endm
prepare:
        .include "../latency/s_setup.inc"
        put     100, 16
        m1 = vlt.s32 v62, s4
        v59 = vmov -1.0
        mxmul.s8 a40, v60.b0
        br      calls
        .rept   12, i
called_\i:
        wait_bundles \i
        consume
        ret     s10
        .endr
results:
        .rept   12, i
        { sb: s10 = sld [100] }
        wait_bundles \i
        consume
        { va: s10 = mpop m1 }
        wait_bundles \i
        consume
        { xu: v9 = exp2 v59 }
        wait_bundles \i
        { ld: v20 = vldx [0], v9, s4 }
        { mx: v10 = mxread a40 }
        wait_bundles \i
        { ld: v20 = vldx [0], v10, s4 }
        .endr
        halt
