        s1 = mov 0x
        s1 = mov 12ab
        s1 = mov 99999999999999999999
        s1 = mov 99999999999999999999
        s1 = mov 0x1ffffffffffffffff
        v1 = vmov 1e999
