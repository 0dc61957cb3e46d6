# Nothing but a push is under way when the program halts: the end waits until its rows are written.
# expect: s1 = 7
# expect: v1 = 3
        { v1 = vmov 3 ; s1 = mov 7 }
        { idle 400 }
        { mx: mxpush 0, v1.lo ; sa: halt }
