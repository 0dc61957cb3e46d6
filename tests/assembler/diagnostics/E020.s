        s1 = mov log2(12)
        s1 = mov int(1e30)
        s1 = mov max(later, 1)
later:
