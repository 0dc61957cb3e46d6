# An explicit trap comes before a wait that can never end, which is in a later slot.
# expect: trap explicit_trap sa 5 pc here
# expect: s4 = 0

here:   { sa: trap 5 ; sb: s4 = mov 1 ; dma: wait f1, 1 }
        halt
