# Any number of slots may write s0, p0 and m0; v0 is a register like others.
# expect: s0 = 0
# expect: p0 = 1
# expect: m0 = 1
# expect: s4 = 0
# expect: v0 = j

        { sa: s0 = mov 1 ; sb: s0 = mov 2 ; va: s0 = mpop m0 ; vb: s0 = mffs m0 }
        { sa: p0 = eq s0, 1 ; sb: p0 = eq s0, 2 ; va: m0 = mand !m0, m0 ; vb: m0 = mxor m0, m0 }
        { va: v0 = vlane ; sa: s4 = mov s0 }
        halt
