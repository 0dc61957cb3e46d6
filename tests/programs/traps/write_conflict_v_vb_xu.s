# A vector from the second slot of the vector ALU and from slot xu:
# { vb: v9 = vlane ; xu: v9 = exp2 v1 }.
# expect: trap write_conflict xu 777 pc here
# expect: v9 = 5

        s4 = mov 5
        v9 = vmov s4
here:   .bundle 0, 0, 0, 0, 0, 0, 0x902c, 0, 0, 0, 0, 0, 0, 0, 0x49001, 0
        halt
