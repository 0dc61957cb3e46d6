# Rotary embedding.
        .arguments
        .tensor x, f32, [positions, heads, size], in
        .tensor cos, f32, [positions, half], in
        .tensor sin, f32, [positions, half], in
        .tensor y, f32, [positions, heads, size], out
        .include "common.inc"
        .include "../rope.s"
        run_kernel rope, 4
