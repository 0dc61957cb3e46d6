# A slow result and a fast one into the same scalar, in either order: the later bundle wins.
# expect: s1 = 7
# expect: s2 = 7
# expect: s3 = 7
# expect: s4 = 40
# expect: s5 = 8 * LANES
# expect: s6 = 40
# expect: s8 = 9
# expect: s9 = 9
# expect: s10 = 8 * LANES
# expect: s11 = 7

        { sa: s20 = mov 40 ; sb: s21 = mov 9 }
        { va: v1 = vmov s21 ; sb: sst [0], s20 }
        { xu: s1 = extract v1, 3 }
        { sa: s1 = mov 7 }                      # XLU, scalar ALU
        { sb: s2 = sld [0] }
        { sa: s2 = mov 7 }                      # SMEM, scalar ALU
        { va: s3 = mpop m0 }
        { sb: s3 = mov 7 }                      # mask unit, scalar ALU
        { xu: s4 = extract v1, 3 }
        { sb: s4 = sld [0] }                    # XLU, SMEM
        { xu: s5 = extract v1, 3 }
        { va: s5 = mpop m0 }                    # XLU, mask unit
        { vb: s6 = mpop m0 }
        { sb: s6 = sld [0] }                    # mask unit, SMEM
        { sa: s8 = mov 7 }
        { xu: s8 = extract v1, 3 }              # scalar ALU, XLU
        { sb: s9 = sld [0] }
        { xu: s9 = extract v1, 3 }              # SMEM, XLU
        { sb: s10 = sld [0] }
        { vb: s10 = mpop m0 }                   # SMEM, mask unit
        { xu: s11 = extract v1, 3 }
        { xu: s11 = extract v1, 3 ; sa: s12 = mov 7 }
        { sa: s11 = mov s12 }                   # twice, then the scalar ALU
        halt
