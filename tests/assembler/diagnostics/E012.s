        v1 = vld [s4 + 32768]
        v1 = vld [s4 - 32769]
        v1 = vld [s4], rows=9
        v1 = vld [s4], stride=2048
        wait    f1, 256
        s1 = mov 1 << 32
        mxpush  128, v1.lo
        .data
        .u8     256, -1
        .s16    40000
