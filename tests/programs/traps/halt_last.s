# A halt in the last bundle is no jump out of the text.
# expect: s4 = 2

        s4 = mov 1
        { sa: halt ; sb: s4 = mov 2 }
