# The last bundle has a branch whose predicate is false: it would fall off the end, and traps.
# expect: trap jump_range sa last+1 pc last
# expect: s4 = 1

start:  s4 = mov 1
last:   { sa: @p1 br start ; sb: s4 = mov 2 }
