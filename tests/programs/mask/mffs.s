# mffs: none (-1), first, last, first of several rows, negated, both slots, s0, predicates.
# expect: s4 = 1
# expect: s5 = 0
# expect: s6 = -1
# expect: s7 = 0
# expect: s8 = 7 * LANES + LANES - 1
# expect: s9 = 0
# expect: s10 = 5 * LANES
# expect: s11 = 11
# expect: s12 = 2
# expect: s13 = -1
# expect: s14 = 3 * LANES + 2
# expect: s0 = 0

        .include "logic.inc"
        { va: s4 = mffs m1 ; vb: s5 = mffs m0 }
        { va: s6 = mffs m4 ; vb: s7 = mffs !m4 }
        { va: v1 = vsublane ; sa: s20 = mov 7 ; sb: s11 = mov 11 }
        { va: m5 = veq.s32 v1, s20 ; sa: s21 = mov LANES - 1 }
        { va: m7 = veq.s32 v60, s21 ; sa: s22 = mov 5 ; sb: s23 = mov 3 }
        { va: m7 = mand m5, m7 ; vb: m5 = vle.s32 s22, v1 }
        { va: s8 = mffs m7 ; vb: s9 = mffs !m7 }
        { va: s10 = mffs m5 ; vb: s13 = mffs !m0 }
        { va: @p1 s11 = mffs m0 ; vb: @!p1 s12 = mffs m2 }
        { va: m6 = vle.s32 s23, v1 ; vb: s0 = mffs m2 }
        { va: m6 = mand m6, m2 }
        { va: s14 = mffs m6 }
        halt
