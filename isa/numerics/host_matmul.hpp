// The MXU's multiply on host vectors: column sums in row order from +0, before they meet the
// accumulator (docs/numerics.md, "Matrix unit"). Bit-equal to f32_add over bf16_product, and to
// wrapping s32 sums.
//
// Shapes, all row-major: activations rows x lanes, weights lanes x lanes (weight row k holds what
// activation k is multiplied with), sums rows x lanes. rows is 1..8, lanes a multiple of 8.
// Weights are the raw 16 bits that the machine keeps: bf16 patterns, or s8 sign-extended to s16.
// sums must not overlap the inputs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tandem::numerics {

// Activations are bf16 expanded to fp32 patterns (low 16 bits zero); sums are fp32 patterns, NaN
// canonical. Aborts unless a FlushScope is alive on this thread.
void mxu_sums_bf16(uint32_t* sums, const uint32_t* activations, const uint16_t* weights,
                   size_t rows, size_t lanes);

// Activations are s8 sign-extended to 32 bits; sums wrap modulo 2^32.
void mxu_sums_s8(uint32_t* sums, const uint32_t* activations, const uint16_t* weights, size_t rows,
                 size_t lanes);

// accumulator = accumulator + sum over n elements, fp32 (needs a FlushScope) or s32 wrapping.
void mxu_accumulate_f32(uint32_t* accumulator, const uint32_t* sums, size_t n);
void mxu_accumulate_s32(uint32_t* accumulator, const uint32_t* sums, size_t n);

}  // namespace tandem::numerics
