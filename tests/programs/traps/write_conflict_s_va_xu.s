# A scalar from the first slot of the vector ALU and from slot xu:
# { va: s5 = mpop m0 ; xu: s5 = extract v1, 0 }.
# expect: trap write_conflict xu 5 pc here
# expect: s5 = 3

        s5 = mov 3
here:   .bundle 0, 0, 0, 0, 0x5031, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80045024, 0
        halt
