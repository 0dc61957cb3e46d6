# Causal grouped-query attention; every third dimension is a head's size.
        .arguments
        .tensor q, bf16, [positions, heads, size], in
        .tensor k, bf16, [positions, key_heads, size], in
        .tensor v, bf16, [positions, key_heads, size], in
        .tensor y, bf16, [positions, heads, size], out
        .include "common.inc"
        .include "../flash_attention.s"
        run_kernel flash_attention, 4
