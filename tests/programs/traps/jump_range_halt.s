# A halt whose predicate is false at the end of the text: it would fall off, and traps.
# expect: trap jump_range sa last+1 pc last
# expect: s4 = 1

start:  s4 = mov 1
last:   { sa: @p1 halt ; sb: s4 = mov 2 }
