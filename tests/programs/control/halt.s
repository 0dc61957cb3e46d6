# halt: predicated off it does nothing; its own bundle completes, the next does not begin,
# and everything in flight lands.
# expect: s1 = 1
# expect: s2 = 2
# expect: s3 = 0
# expect: v2 = 1.0
# expect: v3 = j
# expect: vmem[8 + r] = j

        { sa: @p1 halt ; sb: s1 = mov 1 }
        { va: v1 = vmov s0 ; vb: v3 = vlane }
        { xu: v2 = exp2 v1 ; sa: @!p1 halt ; sb: s2 = mov 2 ; st: vst [8], v3 }
        s3 = mov 3
        halt
