        s1 = mov min(2)
