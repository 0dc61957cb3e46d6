        .tensor x, f32, [4], in
        .tensor y, s32, [4], out, shares x
        .tensor z, f32, [4], out, shares w
        halt
