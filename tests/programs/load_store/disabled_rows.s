# Rows that are not enabled touch nothing: neither out of range, nor never-written data, nor a write.
# expect: v2 = r < 2 ? j : 0
# expect: v3 = 0
# expect: v4 = 0
# expect: v5 = j < 1 && r == 0 ? 7 : 0
# expect: vmem[VMEM_ROWS - 2] = j
# expect: vmem[VMEM_ROWS - 1] = j
# expect: s4 = VMEM_ROWS - 2

        { va: v1 = vlane ; vb: v10 = vsublane ; sa: s4 = mov VMEM_ROWS - 2 ; sb: s5 = mov -1 }
        { va: m1 = veq.s32 v1, s0 ; vb: m2 = veq.s32 v10, s0 ; sa: s6 = mov 7 }
        { va: m3 = mand m1, m2 ; vb: m4 = mand !m0, m0 ; sa: s7 = mov 2 }
        { va: m5 = vlt.s32 v10, s7 ; vb: v11 = vmov s6 }
        { st: vst [s4], v1, rows=2 }                    # rows 2..7 would be outside
        { ld: v2 = vld [s4], rows=2 ; st: vst [s5], v1, mask=m4 }
        { ld: v3 = vld [s5], mask=m4 ; st: vst [s4], v1, mask=m5 }
        { ld: v2 = vld [s4], mask=m5 ; st: vst [0], v11, mask=m3 }
        { ld: v4 = vldc [s5], mask=m4 }
        { ld: v5 = vld [0], mask=m3 ; sa: s8 = mov 1000 }
        { va: v6 = vadd.s32 v5, v3 }                    # no element of these is unwritten
        { ld: @p1 v2 = vld [s5] ; st: @p1 vst [s5], v1 }
        halt
