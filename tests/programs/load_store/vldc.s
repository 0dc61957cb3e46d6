# vldc: the word w + r in every lane of row r; offsets, wrap-around, row counts, masks, last word.
# expect: v2 = lo(0x01020304 * r + 0x80000001)
# expect: v3 = lo(0x01020304 * (r + LANES - 3) + 0x80000001)
# expect: v4 = r < 3 ? lo(0x01020304 * (r + 5) + 0x80000001) : 0
# expect: v5 = (j & 1) == 1 ? lo(0x01020304 * (r + 9) + 0x80000001) : 0
# expect: v6 = (j & 1) == 0 && r < 5 ? lo(0x01020304 * (r + 9) + 0x80000001) : 0
# expect: v7 = r < 1 ? 0x01010101 : 0
# expect: v8 = 8
# expect: v9 = lo(0x01020304 * (r + 2) + 0x80000001)
# expect: v10 = 0
# expect: v11 = r < 2 ? lo(0x01020304 * r + 0x80000001) : 0
# expect: v12 = r < 4 ? lo(0x01020304 * r + 0x80000001) : 0
# expect: v13 = r < 6 ? lo(0x01020304 * r + 0x80000001) : 0
# expect: v14 = r < 7 ? lo(0x01020304 * r + 0x80000001) : 0
# expect: v16 = lo(0x01020304 * (r + 1) + 0x80000001)
# expect: v15 = lo(0x01020304 * (r + 3) + 0x80000001)

        .include "../numbered.inc"
        .include "../mask/logic.inc"
        .equ    here, 24
        .equ    first, here * LANES
        vst     [here], v1
        { sa: s4 = mov first ; sb: s5 = mov 0x01010101 }
        { va: v20 = vmov s5 ; sa: s6 = mov VMEM_ROWS - 1 ; sb: s7 = mov VMEM_ROWS * LANES - 1 }
        { st: vst [s6], v20, rows=1 ; sa: s8 = mov 8 ; sb: s9 = mov -1 }
        { ld: v2 = vldc [s4] ; va: v8 = vmov s8 }
        v3 = vldc [s4 + LANES - 3]              # crosses from row to row
        v4 = vldc [s4 + 5], rows=3
        v5 = vldc [s4 + 9], mask=m1
        v6 = vldc [s4 + 9], mask=!m1, rows=5
        v7 = vldc [s7], rows=1
        { ld: @p1 v8 = vldc [s4] ; sb: s4 = add s4, 8 }
        { ld: @!p1 v9 = vldc [s4 - 6] ; sb: s4 = add s4, -8 }
        v10 = vldc [s7], mask=m4                # no row enabled: no trap
        v11 = vldc [s4], rows=2
        v12 = vldc [s4], rows=4
        v13 = vldc [s4], rows=6
        v14 = vldc [s4], rows=7
        v15 = vldc [s9 + first + 4]             # 2^32 - 1 + first + 4
        v16 = vldc [first + 1]
        halt
