        .f32    1.0
        .space  5
        .vmem
        .f32    1.0
        halt
        .bundle 0
        { halt }
