# call and ret: the return address is the next bundle, nested calls, predicated, d = s0, and a
# return whose register the same bundle overwrites.
# expect: s4 = 42
# expect: s5 = first_return
# expect: s6 = 2
# expect: s7 = 1
# expect: s8 = 0
# expect: s1 = 77
# expect: s10 = 1

        s4 = mov 20
        s1 = call double
first_return:
        s4 = add s4, 2
        @p1 s1 = call wrong             # not done: s1 keeps its value
        s5 = mov s1
        { sa: @!p1 s1 = call outer ; sb: s10 = mov 1 }
        s0 = call tail
tail:   s11 = mov back
        { sa: ret s11 ; sb: s11 = mov wrong }
wrong:  s8 = mov 99
back:   p2 = eq s0, 0
        s12 = mov done
        @!p2 ret s12                    # not done
        @p2 ret s12
        s8 = mov 98
done:   halt

double: { sa: ret s1 ; sb: s4 = add s4, s4 }

outer:  s9 = mov s1
        s1 = call inner
        s7 = mov 1
        { sa: ret s9 ; sb: s1 = mov 77 }
inner:  { sa: ret s1 ; sb: s6 = mov 2 }
