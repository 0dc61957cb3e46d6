        v1 = vld [s4], rows=3, stride=2, rows=4
