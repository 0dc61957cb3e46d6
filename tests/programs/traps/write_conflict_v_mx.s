# A vector written by the matrix unit and by the EUP: { mx: v9 = mxread a0 ; xu: v9 = exp2 v1 }.
# expect: trap write_conflict xu 777 pc here

here:   .bundle 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x5, 0x240, 0x49001, 0
        halt
