        .entry  a
        .entry  a
a:      halt
