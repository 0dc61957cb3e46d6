# A push at the very beginning waits for no swap, as there was none; on a fast memory, too, where it
# comes in one of the first cycles.
# expect: s1 = 7
# expect: v1 = 7
        .text
        { v1 = vmov 7 ; s1 = mov 7 }
        { mx: mxpush 0, v1.lo }
        { mx: mxpush 0, v1.hi }
        { halt }
