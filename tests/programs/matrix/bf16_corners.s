# mxmul.bf16: order of the sum, overflow, subnormals, zeros of both signs, infinities and NaNs, and
# rounding of the operands to bf16. Eight lanes and eight weight rows; the rest is zero.
# expect: a0[0][0] = 0x40a00000
# expect: a0[0][1] = 0x41200000
# expect: a0[0][2] = 0x3f800000
# expect: a0[0][3] = 0x00000000
# expect: a0[0][4] = 0x40200000
# expect: a0[0][5] = 0x7fc00000
# expect: a0[0][6] = 0x00000000
# expect: a0[0][7] = 0x40200000
# expect: a0[1][0] = 0x7f800000
# expect: a0[1][1] = 0x7fc00000
# expect: a0[1][2] = 0x40000000
# expect: a0[1][3] = 0x00000000
# expect: a0[1][4] = 0x40a00000
# expect: a0[1][5] = 0x7fc00000
# expect: a0[1][6] = 0x00000000
# expect: a0[1][7] = 0x40a00000
# expect: a0[2][0] = 0x019fc000
# expect: a0[2][1] = 0x021fc000
# expect: a0[2][2] = 0x00000000
# expect: a0[2][3] = 0x00000000
# expect: a0[2][4] = 0x00800000
# expect: a0[2][5] = 0x7fc00000
# expect: a0[2][6] = 0x00000000
# expect: a0[2][7] = 0x00800000
# expect: a0[3][0] = 0x00000000
# expect: a0[3][1] = 0x00000000
# expect: a0[3][2] = 0x00000000
# expect: a0[3][3] = 0x00000000
# expect: a0[3][4] = 0x00000000
# expect: a0[3][5] = 0x7fc00000
# expect: a0[3][6] = 0x00000000
# expect: a0[3][7] = 0x00000000
# expect: a0[4][0] = 0x7f800000
# expect: a0[4][1] = 0x7f800000
# expect: a0[4][2] = 0xff800000
# expect: a0[4][3] = 0x7fc00000
# expect: a0[4][4] = 0x7f800000
# expect: a0[4][5] = 0x7fc00000
# expect: a0[4][6] = 0x7fc00000
# expect: a0[4][7] = 0x7f800000
# expect: a0[5][0] = 0x7fc00000
# expect: a0[5][1] = 0x7fc00000
# expect: a0[5][2] = 0x7fc00000
# expect: a0[5][3] = 0x7fc00000
# expect: a0[5][4] = 0x7fc00000
# expect: a0[5][5] = 0x7fc00000
# expect: a0[5][6] = 0x7fc00000
# expect: a0[5][7] = 0x7fc00000
# expect: a0[6][0] = 0x40780000
# expect: a0[6][1] = 0x40f80000
# expect: a0[6][2] = 0x3f200000
# expect: a0[6][3] = 0x00000000
# expect: a0[6][4] = 0x3ff80000
# expect: a0[6][5] = 0x7fc00000
# expect: a0[6][6] = 0x00000000
# expect: a0[6][7] = 0x3ff80000
# expect: a0[7][0] = 0x447adc10
# expect: a0[7][1] = 0x44fadc10
# expect: a0[7][2] = 0x4478c9f0
# expect: a0[7][3] = 0x00000000
# expect: a0[7][4] = 0x43fadc10
# expect: a0[7][5] = 0x7f800000
# expect: a0[7][6] = 0x00000000
# expect: a0[7][7] = 0x43fadc10
# expect: a1[0][0] = 0x41200000
# expect: a1[0][1] = 0x41a00000
# expect: a1[0][2] = 0x40000000
# expect: a1[0][3] = 0x00000000
# expect: a1[0][4] = 0x40a00000
# expect: a1[0][5] = 0x7fc00000
# expect: a1[0][6] = 0x00000000
# expect: a1[0][7] = 0x40a00000
# expect: a1[1][0] = 0x7f800000
# expect: a1[1][1] = 0x7fc00000
# expect: a1[1][2] = 0x40800000
# expect: a1[1][3] = 0x00000000
# expect: a1[1][4] = 0x41200000
# expect: a1[1][5] = 0x7fc00000
# expect: a1[1][6] = 0x00000000
# expect: a1[1][7] = 0x41200000
# expect: a1[4][0] = 0x7f800000
# expect: a1[4][1] = 0x7f800000
# expect: a1[4][2] = 0xff800000
# expect: a1[4][3] = 0x7fc00000
# expect: a1[4][4] = 0x7f800000
# expect: a1[4][5] = 0x7fc00000
# expect: a1[4][6] = 0x7fc00000
# expect: a1[4][7] = 0x7f800000

        .include "../common.inc"
        .include "common.inc"
        .data
x:      cells_then_zeros 0x4cbebc20, 0x3f800000, 0xccbebc20, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000
        cells_then_zeros 0x7f000000, 0x7f000000, 0xff000000, 0xff000000, 0x3f800000, 0x40000000, 0x40400000, 0x40800000
        cells_then_zeros 0x00800000, 0x00800000, 0x80800000, 0x00ff0000, 0x01000000, 0x00000000, 0x00000000, 0x00000000
        cells_then_zeros 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000, 0x80000000
        cells_then_zeros 0x7f800000, 0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0x40a00000, 0x40c00000, 0x40e00000
        cells_then_zeros 0x7fc10000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000000
        cells_then_zeros 0x00400000, 0x807f0000, 0x3f800000, 0xbf800000, 0x3f000000, 0x3e800000, 0x3e000000, 0x40400000
        cells_then_zeros 0x43800000, 0x3f810000, 0xc37f0000, 0x3f810000, 0x40490000, 0xc02e0000, 0x3a83126f, 0x447a0000
w:      cells_then_zeros 0x3f800000, 0x40000000, 0xbf800000, 0x80000000, 0x3f000000, 0x7f800000, 0x00000000, 0x3f000000
        cells_then_zeros 0x3f800000, 0x40000000, 0x3f800000, 0x80000000, 0x3f000000, 0x3f800000, 0x00000000, 0x3f000000
        cells_then_zeros 0x3f800000, 0x40000000, 0xbf800000, 0x80000000, 0x3f000000, 0x3f800000, 0x00000000, 0x3f000000
        cells_then_zeros 0x3f800000, 0x40000000, 0x3f800000, 0x80000000, 0x3f000000, 0x3f800000, 0x00400000, 0x3f000000
        cells_then_zeros 0x3f800000, 0x40000000, 0xbf800000, 0x80000000, 0x3f000000, 0x3f800000, 0x00000000, 0x3f000000
        cells_then_zeros 0x3f800000, 0x40000000, 0x3f800000, 0x80000000, 0x3f000000, 0xff800000, 0x00000000, 0x3f000000
        cells_then_zeros 0x3f800000, 0x40000000, 0xbf800000, 0x80000000, 0x3f000000, 0x3f800000, 0x00000000, 0x3f000000
        cells_then_zeros 0x3f800000, 0x40000000, 0x3f800000, 0x80000000, 0x3f000000, 0x3f800000, 0x80000000, 0x3f000000
        .text

        fetch   x, 0, 8
        fetch   w, 8, 8
        v1 = vld [0]
        v2 = vld [8]
        push_zeros
        { mx: mxpush 0, v2.f32 }
        { mx: mxmul.bf16 a0, v1.f32, swap }
        { mx: mxmul.bf16 a1, v1.f32 }
        { mx: mxmul.bf16 a1, v1.f32, add }
        halt
