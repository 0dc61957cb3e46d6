# A scalar from the vector ALU and from the XLU in one bundle: { vb: s7 = mpop m0 ; xu: @!p0 s7 = extract v1, 0 }.
# expect: trap write_conflict xu 7 pc here
# expect: s7 = 0

here:   .bundle 0, 0, 0, 0, 0, 0, 0x7031, 0, 0, 0, 0, 0, 0, 0, 0x80047824, 0
        halt
