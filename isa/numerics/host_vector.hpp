// The operations of float32.hpp, compare.hpp, convert.hpp and eup.hpp over arrays, on the host's
// floating-point unit where that is exact, vectorised by the compiler; equal to the integer
// definition bit for bit (tests/isa/numerics_host_test.cpp).
//
// All arrays hold n bit patterns. A result array may be one of the inputs but must not overlap it
// otherwise. Functions on host floats abort unless a FlushScope is alive on this thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tandem::numerics {

void f32_add_array(uint32_t* result, const uint32_t* a, const uint32_t* b, size_t n);
void f32_sub_array(uint32_t* result, const uint32_t* a, const uint32_t* b, size_t n);
void f32_mul_array(uint32_t* result, const uint32_t* a, const uint32_t* b, size_t n);
void f32_mul_error_array(uint32_t* result, const uint32_t* a, const uint32_t* b, size_t n);
void f32_min_array(uint32_t* result, const uint32_t* a, const uint32_t* b, size_t n);
void f32_max_array(uint32_t* result, const uint32_t* a, const uint32_t* b, size_t n);

// Element i becomes bit i % 32 of word i / 32; n is a multiple of 32.
void f32_eq_array(uint32_t* bits, const uint32_t* a, const uint32_t* b, size_t n);
void f32_ne_array(uint32_t* bits, const uint32_t* a, const uint32_t* b, size_t n);
void f32_lt_array(uint32_t* bits, const uint32_t* a, const uint32_t* b, size_t n);
void f32_le_array(uint32_t* bits, const uint32_t* a, const uint32_t* b, size_t n);

void f32_floor_array(uint32_t* result, const uint32_t* a, size_t n);
void f32_nearest_array(uint32_t* result, const uint32_t* a, size_t n);
void f32_from_s32_array(uint32_t* result, const uint32_t* a, size_t n);
void f32_to_s32_nearest_array(uint32_t* result, const uint32_t* a, size_t n);
void f32_to_s32_truncated_array(uint32_t* result, const uint32_t* a, size_t n);
void bf16_pack_array(uint32_t* result, const uint32_t* low, const uint32_t* high, size_t n);

void eup_exp2_array(uint32_t* result, const uint32_t* a, size_t n);
void eup_log2_array(uint32_t* result, const uint32_t* a, size_t n);
void eup_rcp_array(uint32_t* result, const uint32_t* a, size_t n);
void eup_rsqrt_array(uint32_t* result, const uint32_t* a, size_t n);
void eup_tanh_array(uint32_t* result, const uint32_t* a, size_t n);

// Binary-tree sum of each row of a rows x lanes array (lanes a power of two, at most 128): one
// pattern per row.
void f32_lane_sums(uint32_t* sums, const uint32_t* a, size_t rows, size_t lanes);
// Row 0 + row 1 + ... of a rows x lanes array, in that order: one pattern per lane.
void f32_sublane_sums(uint32_t* sums, const uint32_t* a, size_t rows, size_t lanes);

}  // namespace tandem::numerics
