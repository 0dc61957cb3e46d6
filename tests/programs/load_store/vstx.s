# vstx: rows by lane 0 of each row of the index, base and offset of both signs, wrap-around, the bound,
# row counts, masks, equal rows (the highest r wins, lane by lane), its own index stored, predicates,
# a load of the same bundle. VMEM is first filled with -1; v1[r][j] = 16 r + j.
# expect: vmem[8 + 3 * r] = 16 * r + j
# expect: vmem[9 + 3 * r] = -1
# expect: vmem[40 + r] = r < 3 ? 16 * (r + 0) + j : -1
# expect: vmem[48] = 16 * 7 + j
# expect: vmem[49 + r] = -1
# expect: vmem[60] = (j & 1) == 1 ? 16 * 5 + j : -1
# expect: vmem[64 + r] = r < 6 && (j & 1) == 0 ? 16 * r + j : -1
# expect: vmem[72 + r] = -1
# expect: vmem[80 + r] = r
# expect: vmem[88 + r] = r < 1 ? 16 * r + j : -1
# expect: vmem[96 + 8 * r] = r < 7 ? 16 * r + j : -1
# expect: vmem[160 + r] = r < 2 ? 16 * r + j : -1
# expect: vmem[168 + r] = r < 4 ? 16 * r + j : -1
# expect: vmem[176 + r] = r < 5 ? 16 * r + j : -1
# expect: v9 = -1
# expect: v10 = 16 * r + j

        .include "../mask/logic.inc"
        { va: v1 = vsublane ; vb: v2 = vmov -1 ; sa: s4 = mov 0 }
        { va: v3 = vmul.s32 v1, 16 ; vb: v20 = vsublane }
fill:   { st: vst [s4], v2 ; sa: s4 = add s4, 8 }
        { sb: p2 = lt.s32 s4, 200 }
        @p2 br  fill
        { va: v1 = vadd.s32 v3, v60 ; vb: v21 = vmul.s32 v20, 3 ; sa: s5 = mov 22 ; sb: s6 = mov 8 }
        { va: v22 = vmul.s32 v20, 8 ; vb: v23 = vmov 0 ; sa: s7 = mov 64 ; sb: s8 = mov -1 }
        vstx    [s6], v1, v21, s5
        vstx    [40], v1, v20, s6, rows=3
        vstx    [48], v1, v23, s6                               # one row: the last wins
        vstx    [s8 + 61], v1, v23, s6, rows=6, mask=m1         # 2^32 - 1 + 61
        vstx    [s7], v1, v20, s6, rows=6, mask=!m1
        vstx    [72], v1, v20, s0                               # nothing is below 0
        vstx    [s6 + 72], v20, v20, s6                         # the index itself
        vstx    [88], v1, v20, s6, rows=1
        { st: vstx [96], v1, v22, s7, rows=7 ; ld: v9 = vldx [96], v22, s7 }
        vstx    [s7 + 96], v1, v20, s6, rows=2
        vstx    [s7 + 104], v1, v20, s6, rows=4
        { st: @!p1 vstx [176], v1, v20, s6, rows=5 }
        { st: @p1 vstx [48], v2, v20, s6 }
        { ld: v10 = vldx [8], v21, s5 ; va: v21 = vmov 0 }
        { st: vstx [s7 - 24], v1, v20, s6, mask=m4, rows=8 }
        halt
