        %x = mov 1
        { s4 = add s5, %x }
        @%p halt
