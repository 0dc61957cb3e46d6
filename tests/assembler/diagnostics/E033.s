        .parameter table, x, f32, [n], in
        .parameter elsewhere, x, f32, [n], in
        .extern elsewhere
        .data
table:  .u32 1
