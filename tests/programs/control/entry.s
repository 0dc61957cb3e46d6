# A program begins at its entry, with scalars, predicates, masks, flags and SMEM cleared.
# expect: s1 = start + 1
# expect: s2 = 0
# expect: s3 = 0
# expect: s4 = 8 * LANES
# expect: s5 = 0
# expect: p1 = 0
# expect: p7 = 0
# expect: m1 = 0
# expect: m7 = 0
# expect: f0 = 0
# expect: f31 = 0
# expect: smem[0] = 0
# expect: smem[SMEM_WORDS - 1] = 0

        .entry  start
wrong:  s2 = mov 99
        halt
start:  { sa: s1 = call body ; sb: s3 = sld [SMEM_WORDS - 1] }
body:   { va: s4 = mpop m0 ; vb: s5 = mpop m3 }
        halt
