# A branch outside the text. A label cannot express it, so a number does: the words of
# { sa: br 1000000 ; sb: s4 = mov 1 }.
# expect: trap jump_range sa 1000000 pc here
# expect: s4 = 0

here:   .bundle 0x40, 0xf4240, 0x40004010, 0x1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        halt
