        { s1 = mov 1 ; s2 = mov 2 ; v1 = vmov v9 ; v2 = vmov v9 ; v3 = vld [0] ; vst [0], v9
          ; mxpush 0, v9.lo ; v4 = exp2 v9 ; wait f1, 1 ; s3 = mov 3 }
