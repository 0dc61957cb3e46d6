// A block of Rows x (Blocks * Width) sums stays in registers while k walks down the column, so the
// order of additions is the machine's. A NaN stays NaN through every later addition, so making it
// canonical once, at the end, gives the same bits as doing so at each step.
#include "isa/numerics/host_matmul.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "isa/numerics/float32.hpp"
#include "isa/numerics/host_check.hpp"
#include "isa/numerics/host_vector.hpp"

#pragma STDC FP_CONTRACT OFF
// The calling convention for wide vectors depends on the target processor; they are passed only
// within this file, so it does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace tandem::numerics {
namespace {

template <typename Element, size_t Width>
using Vector = Element __attribute__((vector_size(Width * sizeof(Element))));

template <typename Type>
Type load(const void* from) {
  Type value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// Weights as operands: bf16 moves to the upper half of a float, s8 extends its sign.
template <typename Element, size_t Width>
Vector<Element, Width> load_weights(const uint16_t* from) {
  if constexpr (std::is_same_v<Element, float>) {
    const auto raw = load<Vector<uint16_t, Width>>(from);
    const auto wide = __builtin_convertvector(raw, Vector<uint32_t, Width>);
    return std::bit_cast<Vector<float, Width>>(wide << 16);
  } else {
    const auto raw = load<Vector<int16_t, Width>>(from);
    const auto wide = __builtin_convertvector(raw, Vector<int32_t, Width>);
    return std::bit_cast<Vector<uint32_t, Width>>(wide);
  }
}

template <typename Element, size_t Width>
Vector<uint32_t, Width> result_bits(Vector<Element, Width> sums) {
  const auto bits = std::bit_cast<Vector<uint32_t, Width>>(sums);
  if constexpr (std::is_same_v<Element, float>) {
    const auto nan = std::bit_cast<Vector<uint32_t, Width>>((bits & ~f32_sign_bit) > f32_infinity);
    return (bits & ~nan) | (nan & f32_canonical_nan);
  } else {
    return bits;
  }
}

// Element is float for bf16, uint32_t for s8 (unsigned, so that wrapping is defined).
template <typename Element, size_t Width, size_t Blocks, size_t Rows>
void sum_block(uint32_t* sums, const uint32_t* activations, const uint16_t* weights, size_t lanes) {
  Vector<Element, Width> total[Rows][Blocks] = {};
  for (size_t k = 0; k < lanes; ++k) {
    Vector<Element, Width> weight[Blocks];
    for (size_t b = 0; b < Blocks; ++b) {
      weight[b] = load_weights<Element, Width>(weights + k * lanes + b * Width);
    }
    for (size_t r = 0; r < Rows; ++r) {
      const auto activation = std::bit_cast<Element>(activations[r * lanes + k]);
      for (size_t b = 0; b < Blocks; ++b) total[r][b] += weight[b] * activation;
    }
  }
  for (size_t r = 0; r < Rows; ++r) {
    for (size_t b = 0; b < Blocks; ++b) {
      const auto bits = result_bits<Element, Width>(total[r][b]);
      std::memcpy(sums + r * lanes + b * Width, &bits, sizeof bits);
    }
  }
}

using RowsFunction = void (*)(uint32_t*, const uint32_t*, const uint16_t*, size_t);

template <typename Element, size_t Rows>
void sum_rows(uint32_t* sums, const uint32_t* activations, const uint16_t* weights, size_t lanes) {
  // With few rows, several columns at the same time are needed to hide the latency of the addition.
  constexpr size_t wide = Rows <= 2 ? 4 : 2;
  size_t column = 0;
  for (; column + 16 * wide <= lanes; column += 16 * wide) {
    sum_block<Element, 16, wide, Rows>(sums + column, activations, weights + column, lanes);
  }
  for (; column + 16 <= lanes; column += 16) {
    sum_block<Element, 16, 1, Rows>(sums + column, activations, weights + column, lanes);
  }
  for (; column < lanes; column += 8) {
    sum_block<Element, 8, 1, Rows>(sums + column, activations, weights + column, lanes);
  }
}

template <typename Element, size_t... I>
constexpr auto functions_by_rows(std::index_sequence<I...>) {
  return std::array<RowsFunction, sizeof...(I)>{sum_rows<Element, I + 1>...};
}

template <typename Element>
void sum_any_rows(uint32_t* sums, const uint32_t* activations, const uint16_t* weights, size_t rows,
                  size_t lanes) {
  static constexpr auto table = functions_by_rows<Element>(std::make_index_sequence<8>{});
  table.at(rows - 1)(sums, activations, weights, lanes);
}

}  // namespace

void mxu_sums_bf16(uint32_t* sums, const uint32_t* activations, const uint16_t* weights,
                   size_t rows, size_t lanes) {
  require_flush_scope();
  sum_any_rows<float>(sums, activations, weights, rows, lanes);
}

void mxu_sums_s8(uint32_t* sums, const uint32_t* activations, const uint16_t* weights, size_t rows,
                 size_t lanes) {
  sum_any_rows<uint32_t>(sums, activations, weights, rows, lanes);
}

void mxu_accumulate_f32(uint32_t* accumulator, const uint32_t* sums, size_t n) {
  f32_add_array(accumulator, accumulator, sums, n);
}

void mxu_accumulate_s32(uint32_t* accumulator, const uint32_t* sums, size_t n) {
  for (size_t i = 0; i < n; ++i) accumulator[i] += sums[i];
}

}  // namespace tandem::numerics
