// The matrix unit as docs/reference.md and docs/numerics.md describe it: everything takes effect in
// program order, immediately. Timing is left to the RTL.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>

#include "isa/numerics/convert.hpp"
#include "isa/numerics/float32.hpp"
#include "isa/operands.hpp"
#include "tests/rtl/bench.hpp"

namespace tandem::bench {

struct MxuRow {
  uint32_t seq;
  unsigned acc;
  unsigned r;
  std::array<uint32_t, lanes> data;
};

struct MxuMultiply {
  bool s8;
  Part part;
  unsigned rows;  // 1..8
  bool add;
  bool swap;
  unsigned acc;
};

class MxuModel {
 public:
  using Weights = std::array<std::array<uint16_t, lanes>, lanes>;

  static uint16_t operand(uint32_t x, Part part) {
    switch (part) {
      case Part::f32: return numerics::bf16_from_f32(x);
      case Part::lo: return static_cast<uint16_t>(x);
      case Part::hi: return static_cast<uint16_t>(x >> 16);
      case Part::b0:
      case Part::b1:
      case Part::b2:
      case Part::b3:
        return static_cast<uint16_t>(numerics::s8_extract(x, static_cast<unsigned>(part) - 4));
    }
    return 0;
  }

  void push(const Vector& x, Part part, unsigned row, bool transposed) {
    Weights& filling = weights[1 - active];
    for (unsigned r = 0; r < 8; ++r) {
      for (unsigned j = 0; j < lanes; ++j) {
        const uint16_t w = operand(x[r * lanes + j], part);
        (transposed ? filling[j][row + r] : filling[row + r][j]) = w;
      }
    }
  }

  // Returns the rows in the order in which they must appear.
  std::deque<MxuRow> multiply(const Vector& x, const MxuMultiply& m, uint32_t seq) {
    if (m.swap) {
      active = 1 - active;
      weights[1 - active] = {};
    }
    std::deque<MxuRow> result;
    for (unsigned r = 0; r < m.rows; ++r) {
      MxuRow row{seq, m.acc, r, {}};
      for (unsigned j = 0; j < lanes; ++j) {
        uint32_t& a = acc[(m.acc * 8 + r) * lanes + j];
        a = m.s8 ? (m.add ? a : 0) + sum_s8(x, m.part, r, j)
                 : (m.add ? numerics::f32_add(a, sum_bf16(x, m.part, r, j))
                          : sum_bf16(x, m.part, r, j));
        row.data[j] = a;
      }
      result.push_back(row);
    }
    return result;
  }

  std::array<Weights, 2> weights{};
  unsigned active = 0;
  std::array<uint32_t, 64 * elements> acc{};

 private:
  uint32_t sum_bf16(const Vector& x, Part part, unsigned r, unsigned j) const {
    uint32_t sum = 0;
    for (unsigned k = 0; k < lanes; ++k) {
      const uint16_t a = operand(x[r * lanes + k], part);
      sum = numerics::f32_add(sum, numerics::bf16_product(a, weights[active][k][j]));
    }
    return sum;
  }

  uint32_t sum_s8(const Vector& x, Part part, unsigned r, unsigned j) const {
    uint32_t sum = 0;
    for (unsigned k = 0; k < lanes; ++k) {
      const auto a = static_cast<int8_t>(operand(x[r * lanes + k], part));
      const auto w = static_cast<int8_t>(weights[active][k][j]);
      sum += static_cast<uint32_t>(a * w);
    }
    return sum;
  }
};

}  // namespace tandem::bench
