# All slots read scalars and predicates as they were before the bundle.
# expect: s1 = 2
# expect: s2 = 1
# expect: s3 = 1
# expect: s4 = 11
# expect: s5 = 10
# expect: s6 = 7
# expect: s7 = 8
# expect: s8 = 10
# expect: s9 = 8
# expect: s10 = 10
# expect: p1 = 0
# expect: p2 = 1
# expect: p3 = 0
# expect: v1 = 10
# expect: smem[100] = 10
# expect: smem[101] = 2

        { sa: s1 = mov 1 ; sb: s2 = mov 2 }
        { sa: s1 = mov s2 ; sb: s2 = mov s1 }                   # exchange
        { sa: p1 = eq s0, s0 ; sb: p2 = ne s0, s0 }
        { sa: p1 = por p2, p2 ; sb: p2 = por p1, p1 }           # exchange
        { sa: s3 = mov 1 ; sb: p3 = eq s0, s0 }
        { sa: p3 = ne s0, s0 ; sb: @p3 s6 = mov 7 }             # its old predicate
        { sa: @p3 s3 = mov 9 ; sb: s5 = mov 10 }                # its new one
        { sa: s4 = add s5, 1 ; sb: sst [100], s5 }
        { sb: sst [s4 + 90], s1 ; sa: s4 = mov 11 }
        { va: v1 = vmov s5 ; vb: s8 = mpop m0 ; sb: s5 = mov 99 }
        { va: v2 = vmov s5 ; sa: s5 = mov 10 ; sb: s8 = mov s5 }
        { sa: s8 = mov s5 ; sb: s7 = mov 8 }
        { va: m1 = veq.s32 v1, s8 ; sa: s9 = mov s7 ; sb: s7 = mov 0 }
        { xu: s10 = extract v1, s8 ; sa: s8 = mov 10 ; sb: s7 = mov 8 }
        halt
