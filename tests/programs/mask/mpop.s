# mpop: none, one, some and all ones, negated, both slots, s0, predicates.
# expect: s4 = 4 * LANES
# expect: s5 = 8 * LANES
# expect: s6 = 0
# expect: s7 = 8 * LANES
# expect: s8 = 6 * LANES
# expect: s9 = 1
# expect: s10 = 8 * LANES - 1
# expect: s11 = 11
# expect: s12 = 2 * LANES
# expect: s0 = 0

        .include "logic.inc"
        { va: s4 = mpop m1 ; vb: s5 = mpop m0 }
        { va: s6 = mpop m4 ; vb: s7 = mpop !m4 }
        { va: m5 = mor m1, m2 ; vb: m6 = mand m1, m2 }
        { va: s8 = mpop m5 ; vb: s0 = mpop m5 }
        { va: v1 = vsublane ; sa: s20 = mov 7 ; sb: s11 = mov 11 }
        { va: m5 = veq.s32 v1, s20 ; sa: s21 = mov LANES - 1 }
        { va: m7 = veq.s32 v60, s21 }
        { va: m7 = mand m5, m7 }
        { va: s9 = mpop m7 ; vb: s10 = mpop !m7 }
        { va: @p1 s11 = mpop m0 ; vb: @!p1 s12 = mpop m6 }
        halt
