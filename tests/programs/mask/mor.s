# mor: all bit pairs, negation of either source, m0, both slots, predicates.
# expect: m5[r] = 0, 1, 1, 1, 0, 1, 1, 1
# expect: m6[r] = 1, 0, 1, 1, 1, 0, 1, 1
# expect: m7[r] = 1, 1, 0, 1, 1, 1, 0, 1
# expect: m1[r] = 1, 1, 1, 0, 1, 1, 1, 0
# expect: m2[r] = 1, 1, 1, 1, 1, 1, 1, 1
# expect: m0 = 1
# expect: m3 = 1
# expect: m4 = 0
# expect: v5[r] = 10, 11, 10, 11, 10, 11, 10, 11

        .include "logic.inc"
        { va: m5 = mor m1, m2 ; vb: m6 = mor !m1, m2 }
        { va: m7 = mor m1, !m2 ; vb: m0 = mor m1, m2 }       # m0: discarded
        { sa: s4 = mov 11 ; sb: s5 = mov 10 }
        { va: v5 = vsel m1, s4, s5 }
        { va: m1 = mor !m1, !m2 ; vb: m2 = mor m0, m2 }      # read before written
        { va: @p1 m5 = mor m3, m3 ; vb: @!p1 m3 = mor m3, m3 }
        { va: @!p1 m4 = mor m4, m4 ; vb: @p1 m6 = mor m4, m3 }
        halt
