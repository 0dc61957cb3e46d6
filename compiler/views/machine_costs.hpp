// What the machine's units make worth deciding one way or the other.
#pragma once

#include <cstdint>

namespace tandem::compiler {

// Contractions of so few rows go to the vector units: they take a register of weights a cycle and
// row, the matrix unit's push port needs four cycles for any number of rows.
inline constexpr std::int64_t most_rows_on_vectors = 2;

// Rows of VMEM from one row of a load or store to the next, at most and either way: the field has
// 12 bits and a sign.
inline constexpr std::int64_t stride_reach = 2000;

// Cycles from the start of a copy to the end of the wait for it, beside those of its words.
inline constexpr std::int64_t copy_latency = 40;

// Operations on rows are written out, without a loop (tpu/rows.cpp), up to so many chunks of a row,
// and so many operations on chunks.
inline constexpr std::int64_t chunks_written_out = 8;
inline constexpr std::int64_t steps_written_out = 64;

}  // namespace tandem::compiler
