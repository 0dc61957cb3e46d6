# vst: base and offset of both signs, wrap-around, strides, row counts, masks, equal addresses (the
# highest row wins, lane by lane), the last row. v1[r][j] = 16 r + j, VMEM is first filled with -1.
# expect: vmem[8 + r] = 16 * r + j
# expect: vmem[16 + r] = r < 3 ? 16 * r + j : -1
# expect: vmem[24] = 16 * 7 + j
# expect: vmem[25] = -1
# expect: vmem[32 + r] = 16 * (7 - r) + j
# expect: vmem[40 + r] = (r & 1) == 0 ? 16 * (r / 2) + j : -1
# expect: vmem[48 + r] = (j & 1) == 1 && r < 6 ? 16 * r + j : -1
# expect: vmem[56 + r] = (j & 1) == 0 ? 16 * r + j : -1
# expect: vmem[64 + r] = -1
# expect: vmem[72] = (j & 1) == 1 ? 16 * 4 + j : -1
# expect: vmem[80 + r] = r < 1 ? 16 * r + j : -1
# expect: vmem[88 + r] = r < 2 ? 16 * r + j : -1
# expect: vmem[96 + r] = r < 7 ? 16 * r + j : -1
# expect: vmem[104 + r] = -1
# expect: vmem[112 + r] = r < 4 ? 16 * r + j : -1
# expect: vmem[VMEM_ROWS - 2] = j
# expect: vmem[VMEM_ROWS - 1] = 16 + j

        .include "../mask/logic.inc"
        { va: v1 = vsublane ; sa: s4 = mov 16 ; sb: s5 = mov -1 }
        { va: v1 = vmul.s32 v1, s4 ; vb: v2 = vmov s5 }
        { va: v1 = vadd.s32 v1, v60 }
        .rept   13, i
        vst     [8 + 8 * \i], v2
        .endr
        vst     [112], v2
        { sa: s4 = mov 16 ; sb: s6 = mov VMEM_ROWS - 2 }
        vst     [s4 - 8], v1
        vst     [s4], v1, rows=3
        vst     [s4 + 8], v1, stride=0
        vst     [s4 + 23], v1, stride=-1
        vst     [40], v1, stride=2, rows=4
        vst     [s5 + 49], v1, rows=6, mask=m1          # 2^32 - 1 + 49
        vst     [56], v1, mask=!m1
        vst     [64], v1, mask=m4
        vst     [72], v1, rows=5, stride=0, mask=m1
        vst     [80], v1, rows=1
        vst     [88], v1, rows=2, mask=!m4
        { st: @!p1 vst [96], v1, rows=7 }
        { st: @p1 vst [104], v1 }
        vst     [112], v1, rows=4
        vst     [s6], v1, rows=2
        halt
