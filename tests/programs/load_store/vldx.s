# vldx: rows by lane 0 of each row of the index, base and offset of both signs, wrap-around of the sum,
# the bound (unsigned), row counts, masks, equal rows, rows of one bank, the index overwritten by its
# own bundle, predicates. VMEM row i holds 100 i + j.
# expect: v1 = 100 * (3 * r) + j
# expect: v2 = r < 5 ? 100 * (8 + 3 * r) + j : 0
# expect: v3 = 0
# expect: v4 = r < 3 ? 100 * (3 * r) + j : 0
# expect: v5 = (j & 1) == 1 ? 100 * (1 + 3 * r) + j : 0
# expect: v6 = (j & 1) == 0 && r < 6 ? 100 * (2 + 3 * r) + j : 0
# expect: v7 = 0
# expect: v8 = 700 + j
# expect: v9 = 100 * (8 * r) + j
# expect: v10 = 100 * (3 * r) + j
# expect: v11 = 3 * r + 1000 * j
# expect: v12 = r < 1 ? 100 * (63 - 3 * r) + j : 0
# expect: v13 = r < 2 ? j : 0
# expect: v14 = r < 4 ? 100 * (8 * r) + j : 0
# expect: v15 = r < 7 ? 100 * (8 * r) + j : 0
# expect: v16[r] = 7, 7
# expect: v17 = r == 0 ? 100 * 40 + j : 0

        .include "../mask/logic.inc"
        { va: v40 = vlane ; sa: s4 = mov 0 ; sb: s5 = mov 64 }
fill:   { st: vst [s4], v40, rows=1 ; sa: s4 = add s4, 1 ; va: v40 = vadd.s32 v40, 100 }
        { sb: p2 = lt.s32 s4, s5 }
        @p2 br  fill
        { va: v20 = vsublane ; vb: v21 = vlane }
        { va: v22 = vmul.s32 v20, 3 ; vb: v21 = vmul.s32 v21, 1000 }
        { va: v20 = vadd.s32 v22, v21 ; vb: v23 = vmov 7 }      # 3 r, other lanes do not count
        { vb: v25 = vsublane }
        { va: v26 = vmul.s32 v25, 8 ; sa: s6 = mov 22 ; sb: s7 = mov -1 }
        { va: v27 = vmul.s32 v22, -1 ; sa: s8 = mov 8 ; sb: s9 = mov 15 }
        v1 = vldx [0], v20, s6
        v2 = vldx [s8], v20, s9                                 # 15 is not below 15
        v3 = vldx [s8], v20, s0
        v4 = vldx [0], v20, s6, rows=3
        v5 = vldx [1], v20, s5, mask=m1
        v6 = vldx [s8 - 6], v20, s5, rows=6, mask=!m1
        v7 = vldx [s8], v20, s6, mask=m4
        v8 = vldx [0], v23, s5                                  # one row, eight times
        v9 = vldx [0], v26, s5                                  # eight rows of one bank
        { ld: v10 = vldx [0], v20, s6 ; va: v20 = vmov 9 ; vb: v11 = vmov v20 }
        v12 = vldx [63], v27, s8                                # 0 is below 8, -3 is not
        v13 = vldx [s7 + 1], v22, s8, rows=2                    # 2^32 - 1 + 1; the second: row 3
        { va: v22 = vsublane ; vb: v16 = vmov 7 }
        { va: v22 = vand v22, 0 ; ld: @p1 v16 = vldx [0], v26, s5 }
        v13 = vldx [s7 + 1], v22, s8, rows=2                    # row 0 twice
        v14 = vldx [0], v26, s5, rows=4
        v15 = vldx [0], v26, s5, rows=7
        { ld: @!p1 v17 = vldx [s8 + 32], v26, s8, rows=1 }
        { ld: v18 = vldx [0], v26, s5, rows=5 }
        { ld: v18 = vldx [0], v26, s5, rows=8 }
        halt
