// The matrix unit (slot mx): weight pushes, multiplies, accumulator reads.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "isa/golden/operations/vector_sources.hpp"
#include "isa/golden/semantics.hpp"
#include "isa/numerics/convert.hpp"
#include "isa/numerics/host_matmul.hpp"

namespace tandem::golden {
namespace {

std::uint32_t byte_number(Part part) {
  return static_cast<std::uint32_t>(part) - static_cast<std::uint32_t>(Part::b0);
}

// A part as the 16 bits that weights keep.
std::uint16_t weight_bits(std::uint32_t word, Part part) {
  switch (part) {
    case Part::f32: return numerics::bf16_from_f32(word);
    case Part::lo: return static_cast<std::uint16_t>(word);
    case Part::hi: return static_cast<std::uint16_t>(word >> 16U);
    case Part::b0:
    case Part::b1:
    case Part::b2:
    case Part::b3: return static_cast<std::uint16_t>(numerics::s8_extract(word, byte_number(part)));
  }
  return 0;
}

template <typename Function>
void expand(Core& core, const MicroOp& op, Function function) {
  const std::uint32_t* x = core.vector(op.vx);
  std::uint32_t* to = core.scratch.x.data();
  const std::uint32_t n = op.rows * core.lanes();
  for (std::uint32_t i = 0; i < n; ++i) to[i] = function(x[i]);
}

// Activation rows in the form of the host kernels, in scratch.x: bf16 in the upper half, or s32.
void expand_activations(Core& core, const MicroOp& op) {
  const auto part = static_cast<Part>(op.x_form);
  switch (part) {
    case Part::f32:
      return expand(core, op, [](std::uint32_t x) {
        return std::uint32_t{numerics::bf16_from_f32(x)} << 16U;
      });
    case Part::lo: return expand(core, op, [](std::uint32_t x) { return x << 16U; });
    case Part::hi: return expand(core, op, [](std::uint32_t x) { return x & 0xffff'0000U; });
    case Part::b0:
    case Part::b1:
    case Part::b2:
    case Part::b3:
      return expand(core, op, [byte = byte_number(part)](std::uint32_t x) {
        return static_cast<std::uint32_t>(numerics::s8_extract(x, byte));
      });
  }
}

void use_weights(Core& core, const MicroOp& op) {
  if (!core.marks.weights_unwritten(core.state.active)) return;
  for (std::uint32_t k = 0; k < core.lanes(); ++k) {
    const RowMarks row = core.marks.weight_row(core.state.active, k);
    if (row != 0) return report_weight(core, op, k, first_lane(row));
  }
}

// Marks of everything a multiply reads; afterwards its rows count as written.
void use_multiply(Core& core, const MicroOp& op, std::uint32_t accumulator) {
  if (!core.marks.enabled()) return;
  if (core.marks.vector_unwritten(op.vx)) report_first(core, op, op.vx, op.rows);
  use_weights(core, op);
  const auto rows = static_cast<std::uint8_t>((1U << op.rows) - 1);
  const auto old = static_cast<std::uint8_t>(core.marks.accumulator(accumulator) & rows);
  const bool adds = op.first_option;
  if (adds && old != 0) {
    report_accumulator(core, op, accumulator, static_cast<std::uint32_t>(__builtin_ctz(old)));
  }
  core.marks.define_accumulator_rows(accumulator, op.rows);
}

void swap_weights(Core& core) {
  const std::uint32_t released = core.state.active;
  core.state.active = 1 - released;
  std::ranges::fill(core.state.weights[released], std::uint16_t{0});
  core.marks.define_weights(released);
  core.weights_fit_s8[released] = true;
}

// Weights as s8 multiplies read them: the low byte, signed.
const std::uint16_t* s8_weights(Core& core) {
  const std::uint32_t active = core.state.active;
  const auto& weights = core.state.weights[active];
  if (core.weights_fit_s8[active]) return weights.data();
  core.low_bytes.resize(weights.size());
  std::ranges::transform(weights, core.low_bytes.begin(), [](std::uint16_t bits) {
    return static_cast<std::uint16_t>(static_cast<std::int8_t>(bits));
  });
  return core.low_bytes.data();
}

// Pushes: weight(r, j) is where row r, lane j goes.
template <typename Place>
void push(Core& core, const MicroOp& op, Place place) {
  const std::uint32_t filling = 1 - core.state.active;
  std::uint16_t* weights = core.state.weights[filling].data();
  const std::uint32_t* x = core.vector(op.vx);
  const auto part = static_cast<Part>(op.x_form);
  for (std::uint32_t r = 0; r < sublanes; ++r) {
    for (std::uint32_t j = 0; j < core.lanes(); ++j) {
      weights[place(r, j)] = weight_bits(*x++, part);
    }
  }
  if (part == Part::f32 || part == Part::lo || part == Part::hi) {
    core.weights_fit_s8[filling] = false;
  }
}

}  // namespace

namespace check {

bool accumulator(Core& core, const MicroOp& op) {
  const std::uint32_t number = core.address(op);
  core.captured_by(op) = number;
  return number >= accumulators && core.raise(op, TrapCause::address_range, number);
}

bool weight_row(Core& core, const MicroOp& op) {
  const std::uint32_t row = core.address(op);
  core.captured_by(op) = row;
  const bool bad = row >= core.lanes() || row % sublanes != 0;
  return bad && core.raise(op, TrapCause::address_range, row);
}

}  // namespace check

namespace execute {

void mxpush(Core& core, const MicroOp& op) {
  const std::uint32_t row = core.captured_by(op);
  push(core, op, [row, lanes = core.lanes()](std::uint32_t r, std::uint32_t j) {
    return (row + r) * lanes + j;
  });
  core.marks.push_weights(1 - core.state.active, row, op.vx, false);
}

void mxpusht(Core& core, const MicroOp& op) {
  const std::uint32_t column = core.captured_by(op);
  push(core, op, [column, lanes = core.lanes()](std::uint32_t r, std::uint32_t j) {
    return j * lanes + column + r;
  });
  core.marks.push_weights(1 - core.state.active, column, op.vx, true);
}

void mxmul_bf16(Core& core, const MicroOp& op) {
  const bool adds = op.first_option;
  if (op.second_option) swap_weights(core);
  const std::uint32_t number = core.captured_by(op);
  use_multiply(core, op, number);
  expand_activations(core, op);
  std::uint32_t* accumulator = core.accumulator(number);
  std::uint32_t* sums = adds ? core.scratch.y.data() : accumulator;
  numerics::mxu_sums_bf16(sums, core.scratch.x.data(), core.state.weights[core.state.active].data(),
                          op.rows, core.lanes());
  if (adds) numerics::mxu_accumulate_f32(accumulator, sums, op.rows * core.lanes());
}

void mxmul_s8(Core& core, const MicroOp& op) {
  const bool adds = op.first_option;
  if (op.second_option) swap_weights(core);
  const std::uint32_t number = core.captured_by(op);
  use_multiply(core, op, number);
  expand_activations(core, op);
  std::uint32_t* accumulator = core.accumulator(number);
  std::uint32_t* sums = adds ? core.scratch.y.data() : accumulator;
  numerics::mxu_sums_s8(sums, core.scratch.x.data(), s8_weights(core), op.rows, core.lanes());
  if (adds) numerics::mxu_accumulate_s32(accumulator, sums, op.rows * core.lanes());
}

void mxread(Core& core, const MicroOp& op) {
  const std::uint32_t number = core.captured_by(op);
  std::memcpy(core.vector(op.d), core.accumulator(number), core.words() * sizeof(std::uint32_t));
  core.marks.move_accumulator(op.d, number, core.pc);
}

}  // namespace execute
}  // namespace tandem::golden
