        .producer "back\\slash"
        .producer ""
        .producer "a compiler 1.0"
        halt
