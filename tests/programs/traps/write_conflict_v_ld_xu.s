# A vector from a load and from slot xu:
# { ld: v9 = vld [0] ; xu: v9 = exp2 v1 }.
# expect: trap write_conflict xu 777 pc here
# expect: v9 = 5

        s4 = mov 5
        v9 = vmov s4
here:   .bundle 0, 0, 0, 0, 0, 0, 0, 0, 0x38009001, 0x10000, 0, 0, 0, 0, 0x49001, 0
        halt
