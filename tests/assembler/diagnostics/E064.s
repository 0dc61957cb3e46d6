        .tensor x, f32, [1, 2, 3, 4, 5], in
