        { s1 = mov 1 ; @p1 s1 = mov 2 }
        { v1 = vld [0] ; v1 = vmov v2 }
        { s0 = mov 1 ; s0 = mov 2 }
