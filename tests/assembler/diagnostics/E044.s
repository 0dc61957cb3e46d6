        s1 = csr cycle_lo
        s1 = csr control
        s1 = csr 1000
