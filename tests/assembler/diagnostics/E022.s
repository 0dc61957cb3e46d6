        .tensor x, f32, [n], in
        s1 = mov x
