# Of several conflicts the smallest detail is reported, with the second slot of that one:
# { sa: p1 = eq ; sb: p1 = eq ; va: s9 = mpop ; vb: s9 = mpop ; ld: v0 = vld ; xu: v0 = exp2 }.
# expect: trap write_conflict vb 9 pc here
# expect: p1 = 0

here:   .bundle 0x48000018, 0, 0x48000018, 0, 0x9031, 0, 0x9031, 0, 0x38000001, 0x10000, 0, 0, 0, 0, 0x40001, 0
        halt
