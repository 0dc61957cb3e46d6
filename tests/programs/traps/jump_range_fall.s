# The program falls off the end of the text: the last bundle traps, and does nothing.
# expect: trap jump_range sa last+1 pc last
# expect: s4 = 1

        s4 = mov 1
last:   { sb: s4 = mov 2 }
