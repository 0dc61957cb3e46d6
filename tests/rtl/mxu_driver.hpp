// Drives the Verilated matrix unit and checks it, result by result, against MxuModel.
#pragma once

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "Vmxu_bench.h"
#include "Vmxu_bench___024root.h"
#include "tests/rtl/bench.hpp"
#include "tests/rtl/mxu_model.hpp"

namespace tandem::bench {

// Numbers whose products and sums stay finite, in both halves of the word.
inline uint32_t moderate(Random& random) {
  const auto bits = static_cast<uint32_t>(random.next());
  return (bits & 0x807f'807f) | (118 + random.below(16)) << 23 | (118 + random.below(16)) << 7;
}

inline Vector random_operand(Random& random, bool corners) {
  Vector x;
  for (uint32_t& element : x) element = corners ? corner_f32(random) : moderate(random);
  return x;
}

// The unit with its model: every start is checked when its results appear.
class Mxu : public Bench<Vmxu_bench> {
  // Back-door state; deduced types must be known before their use.
  auto& buffer(unsigned number) {
    auto& root = *(*this)->rootp;
    switch (number % 4) {
      case 0: return root.mxu_bench__DOT__mxu__DOT__array__DOT__w0_q;
      case 1: return root.mxu_bench__DOT__mxu__DOT__array__DOT__w1_q;
      case 2: return root.mxu_bench__DOT__mxu__DOT__array__DOT__w2_q;
      default: return root.mxu_bench__DOT__mxu__DOT__array__DOT__w3_q;
    }
  }
  EData& accumulator(unsigned i) {
    return (*this)->rootp->mxu_bench__DOT__mxu__DOT__acc__DOT__acc_q[i / lanes][i % lanes];
  }

 public:
  explicit Mxu(uint64_t seed) : Bench(seed), random(seed) {
    withdraw();
    for (unsigned b = 0; b < 2; ++b) {
      for (unsigned k = 0; k < lanes; ++k) {
        for (unsigned j = 0; j < lanes; ++j) {
          const auto w = static_cast<uint16_t>(moderate(random));
          model.weights[b][k][j] = w;
          buffer(b)[k * lanes + j] = w;
        }
      }
    }
    for (unsigned i = 0; i < model.acc.size(); ++i)
      accumulator(i) = model.acc[i] = moderate(random);
    settle();
  }

  // ---- push: request, then start once push_ready_o is seen -------------------------------------
  void set_push(unsigned row, bool transposed, Part part) {
    auto& m = *this;
    m->push_row_i = row;
    m->push_transposed_i = transposed;
    m->push_part_i = static_cast<uint8_t>(part);
    m->push_valid_i = 1;
    settle();
  }

  void start_push(const Vector& x) {
    auto& m = *this;
    REQUIRE(m->push_ready_o == 1);
    put(m->x_i, x);
    m->push_start_i = 1;
    push_until_ = now + 2;
    model.push(x, static_cast<Part>(m->push_part_i), m->push_row_i, m->push_transposed_i != 0);
    cycle();
  }

  // ---- multiply ------------------------------------------------------------------------------
  void set_multiply(const MxuMultiply& multiply) {
    auto& m = *this;
    m->mul_s8_i = multiply.s8;
    m->mul_part_i = static_cast<uint8_t>(multiply.part);
    m->mul_rows_i = multiply.rows - 1;
    m->mul_add_i = multiply.add;
    m->mul_swap_i = multiply.swap;
    m->mul_acc_i = multiply.acc;
    m->mul_valid_i = 1;
    settle();
  }

  void start_multiply(const Vector& x, const MxuMultiply& multiply) {
    auto& m = *this;
    set_multiply(multiply);
    REQUIRE(m->mul_ready_o == 1);
    put(m->x_i, x);
    m->mul_start_i = 1;
    m->seq_i = ++seq_;
    for (const MxuRow& row : model.multiply(x, multiply, seq_)) rows_.push_back(row);
    cycle();
  }

  // ---- accumulator read ------------------------------------------------------------------------
  void set_read(unsigned acc) {
    (*this)->read_acc_i = acc;
    (*this)->read_valid_i = 1;
    settle();
  }

  void start_read() {
    auto& m = *this;
    REQUIRE(m->read_ready_o == 1);
    m->read_start_i = 1;
    m->read_dest_i = random.below(64);
    m->seq_i = ++seq_;
    const unsigned dest = m->read_dest_i;
    const unsigned acc = m->read_acc_i;
    cycle();
    REQUIRE(m->read_done_o == 1);
    REQUIRE(m->read_dest_o == dest);
    REQUIRE(m->read_seq_o == seq_);
    for (unsigned i = 0; i < elements; ++i)
      REQUIRE(m->read_data_o[i] == model.acc[acc * elements + i]);
  }

  // Ends the cycle, withdraws all requests and checks the row port.
  void cycle() {
    auto& m = *this;
    clock();
    ++now;
    withdraw();
    settle();
    const bool reading = m->read_done_o == 1;
    REQUIRE((m->idle_o == 1) == (rows_.empty() && now > push_until_ && !reading));
    if (m->row_valid_o == 0) return;
    REQUIRE(!rows_.empty());
    const MxuRow& row = rows_.front();
    REQUIRE(m->row_seq_o == row.seq);
    REQUIRE(m->row_acc_o == row.acc);
    REQUIRE(m->row_r_o == row.r);
    for (unsigned j = 0; j < lanes; ++j) {
      INFO(fmt::format("row {} lane {}: expected {:08x}, got {:08x}", row.r, j, row.data[j],
                       static_cast<uint32_t>(m->row_data_o[j])));
      REQUIRE(m->row_data_o[j] == row.data[j]);
    }
    rows_.pop_front();
  }

  // Drains and compares all state.
  void finish() {
    for (int i = 0; i < 1000 && (*this)->idle_o == 0; ++i) cycle();
    REQUIRE((*this)->idle_o == 1);
    REQUIRE(rows_.empty());
    // Those that are neither active nor being filled have been zeroed.
    const unsigned active = (*this)->rootp->mxu_bench__DOT__mxu__DOT__active_q;
    for (unsigned k = 0; k < lanes; ++k) {
      for (unsigned j = 0; j < lanes; ++j) {
        REQUIRE(buffer(active)[k * lanes + j] == model.weights[model.active][k][j]);
        REQUIRE(buffer(active + 1)[k * lanes + j] == model.weights[1 - model.active][k][j]);
        REQUIRE(buffer(active + 2)[k * lanes + j] == 0);
        REQUIRE(buffer(active + 3)[k * lanes + j] == 0);
      }
    }
    for (unsigned i = 0; i < model.acc.size(); ++i) REQUIRE(accumulator(i) == model.acc[i]);
  }

  MxuModel model;
  Random random;
  uint64_t now = 0;

 private:
  void withdraw() {
    auto& m = *this;
    m->push_start_i = m->mul_start_i = m->read_start_i = 0;
    m->push_valid_i = m->mul_valid_i = m->read_valid_i = 0;
  }

  uint32_t seq_ = 0;
  uint64_t push_until_ = 0;  // last cycle in which the newest push writes
  std::deque<MxuRow> rows_;
};

}  // namespace tandem::bench
