# vld: base and offset of both signs, wrap-around, strides, row counts, masks, the last row.
# expect: v2 = lo(0x01020304 * (r * LANES + j) + 0x80000001)
# expect: v3 = r < 3 ? lo(0x01020304 * ((r + 2) * LANES + j) + 0x80000001) : 0
# expect: v4 = lo(0x01020304 * (2 * LANES + j) + 0x80000001)
# expect: v5 = lo(0x01020304 * ((7 - r) * LANES + j) + 0x80000001)
# expect: v6 = r < 4 ? lo(0x01020304 * (2 * r * LANES + j) + 0x80000001) : 0
# expect: v7 = (j & 1) == 1 && r < 6 ? lo(0x01020304 * (r * LANES + j) + 0x80000001) : 0
# expect: v8 = (j & 1) == 0 ? lo(0x01020304 * (r * LANES + j) + 0x80000001) : 0
# expect: v9 = 0
# expect: v10 = r < 1 ? lo(0x01020304 * (5 * LANES + j) + 0x80000001) : 0
# expect: v11 = r < 2 ? 0x01010101 : 0
# expect: v12 = lo(0x01020304 * (r * LANES + j) + 0x80000001)
# expect: v13 = 13
# expect: v14 = r < 7 ? lo(0x01020304 * ((r + 1) * LANES + j) + 0x80000001) : 0
# expect: v15 = r < 2 ? lo(0x01020304 * (r * LANES + j) + 0x80000001) : 0
# expect: v16 = r < 5 ? lo(0x01020304 * (r * LANES + j) + 0x80000001) : 0
# expect: v17 = (j & 1) == 0 || r >= 1 ? 0 : lo(0x01020304 * (3 * LANES + j) + 0x80000001)

        .include "../numbered.inc"
        .include "../mask/logic.inc"
        .vmem
        .space  16
here:   .space  8
        .text
        vst     [here], v1
        { sa: s4 = mov here + 4 ; sb: s5 = mov 0x01010101 }
        { va: v20 = vmov s5 ; sa: s6 = mov VMEM_ROWS - 2 ; sb: s7 = mov 0xffffffff }
        vst     [s6], v20, rows=2
        { ld: v2 = vld [here] ; sa: s13 = mov 13 }
        { ld: v3 = vld [s4 - 2], rows=3 ; va: v13 = vmov s13 }
        v4 = vld [s4 - 2], stride=0
        v5 = vld [s4 + 3], stride=-1
        v6 = vld [s4 - 4], rows=4, stride=2
        v7 = vld [here], rows=6, mask=m1
        v8 = vld [here], mask=!m1
        v9 = vld [here], mask=m4
        v10 = vld [s4 + 1], rows=1, stride=-2048
        v11 = vld [s6], rows=2
        v12 = vld [s7 + here + 1]               # 2^32 - 1 + here + 1
        { ld: @p1 v13 = vld [here] }
        { ld: @!p1 v14 = vld [s4 - 3], rows=7 }
        v15 = vld [here], rows=2, mask=!m4
        v16 = vld [here], rows=5, mask=m3
        v17 = vld [here + 3], rows=1, mask=m1, stride=2047
        halt
