# A scalar from the first scalar slot and from slot xu:
# { sa: s5 = mov 1 ; xu: s5 = extract v1, 0 }.
# expect: trap write_conflict xu 5 pc here
# expect: s5 = 3

        s5 = mov 3
here:   .bundle 0x40005010, 0x1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80045024, 0
        halt
