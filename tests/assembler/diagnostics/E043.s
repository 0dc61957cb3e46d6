        @!!p1 halt
