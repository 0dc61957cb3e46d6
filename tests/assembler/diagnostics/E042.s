        v1.lo = vmov v2
        v1 = exp2 v2.lo
        v1 = vmov v2.b0
        mxmul.bf16 a0, v1.b0
        mxmul.s8 a0, v1.lo
        mxpush 0, v1
        v1 = vmov s3.lo
