// The matrix unit, against the integer definition in order and against sums in double precision.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "golden_support.hpp"
#include "isa/numerics/convert.hpp"
#include "isa/numerics/float32.hpp"

using namespace tandem;
using namespace tandem::test;
using Words = std::vector<std::uint32_t>;

namespace {

const char* const preset_names[] = {"nano", "small", "edge", "full"};

// fp32 numbers between -2 and 2.
Words numbers(std::uint32_t count, std::uint32_t seed) {
  Words words(count);
  std::uint32_t x = seed * 747796405U + 1;
  for (std::uint32_t& word : words) {
    x = x * 1664525U + 1013904223U;
    const auto value = static_cast<float>(static_cast<std::int32_t>(x)) * 0x1p-30F;
    word = std::bit_cast<std::uint32_t>(value);
  }
  return words;
}

// v1 holds activations, VMEM rows 8.. an L x L matrix of fp32.
struct Machine {
  explicit Machine(const char* preset) : program(preset), lanes(program.parameters().lanes) {
    activations = numbers(8 * lanes, 1);
    matrix = numbers(lanes * lanes, 2);
    program.vmem(0, activations);
    program.vmem(8, matrix);
    program.bundle({op::vld(v(1), Vmem(0))});
  }

  void push(Op which, Part kind) {
    for (std::uint32_t row = 0; row < lanes; row += 8) {
      const auto offset = static_cast<std::int32_t>(row);
      program.bundle({op::vld(v(2), Vmem(8 + offset))});
      program.bundle({operation(Slot::mx, which, {at(0, offset), part(2, kind)})});
    }
  }

  GoldenModel run() {
    program.halt();
    GoldenModel model = program.run();
    if (model.finding()) UNSCOPED_INFO(model.finding()->message);
    REQUIRE(model.status() == RunStatus::halted);
    return model;
  }

  Program program;
  std::uint32_t lanes;
  Words activations;
  Words matrix;
};

std::uint32_t column_sum(const Machine& m, std::uint32_t r, std::uint32_t j, bool transposed) {
  std::uint32_t sum = 0;
  for (std::uint32_t k = 0; k < m.lanes; ++k) {
    const std::uint32_t weight = m.matrix[transposed ? j * m.lanes + k : k * m.lanes + j];
    sum = numerics::f32_add(
        sum, numerics::bf16_product(numerics::bf16_from_f32(m.activations[r * m.lanes + k]),
                                    numerics::bf16_from_f32(weight)));
  }
  return sum;
}

double exact_sum(const Machine& m, std::uint32_t r, std::uint32_t j) {
  double sum = 0;
  for (std::uint32_t k = 0; k < m.lanes; ++k) {
    sum += double{std::bit_cast<float>(m.activations[r * m.lanes + k])} *
           double{std::bit_cast<float>(m.matrix[k * m.lanes + j])};
  }
  return sum;
}

}  // namespace

TEST_CASE("a bf16 multiply adds products in order of k and comes near the exact sum") {
  for (const char* preset : preset_names) {
    INFO(preset);
    Machine machine(preset);
    machine.push(Op::mxpush, Part::f32);
    machine.program.bundle({op::mxmul_bf16(a(5), v(1).f32(), swapped)});
    machine.program.bundle({op::mxread(v(3), a(5))});
    const auto model = machine.run();
    const double tolerance = 0.06 * std::sqrt(machine.lanes);
    for (std::uint32_t i = 0; i < 8 * machine.lanes; ++i) {
      const std::uint32_t got = model.state().vector(3)[i];
      REQUIRE(got == column_sum(machine, i / machine.lanes, i % machine.lanes, false));
      const double exact = exact_sum(machine, i / machine.lanes, i % machine.lanes);
      REQUIRE(std::abs(double{std::bit_cast<float>(got)} - exact) < tolerance);
    }
  }
}

TEST_CASE("transposed pushes multiply with the transpose") {
  for (const char* preset : preset_names) {
    INFO(preset);
    Machine machine(preset);
    machine.push(Op::mxpusht, Part::f32);
    machine.program.bundle({op::mxmul_bf16(a(0), v(1).f32(), swapped)});
    const auto model = machine.run();
    for (std::uint32_t i = 0; i < 8 * machine.lanes; ++i) {
      REQUIRE(model.state().accumulator(0)[i] ==
              column_sum(machine, i / machine.lanes, i % machine.lanes, true));
    }
  }
}

TEST_CASE("adding keeps the old sums and rows beyond the count keep their value") {
  Machine machine("small");
  machine.push(Op::mxpush, Part::f32);
  machine.program.bundle({op::mxmul_bf16(a(1), v(1).f32(), swapped)});
  machine.program.bundle({op::mxmul_bf16(a(1), v(1).f32(), rows(3), accumulate)});
  const auto model = machine.run();
  for (std::uint32_t i = 0; i < 128; ++i) {
    const std::uint32_t sum = column_sum(machine, i / 16, i % 16, false);
    const std::uint32_t expected = i / 16 < 3 ? numerics::f32_add(sum, sum) : sum;
    CHECK(model.state().accumulator(1)[i] == expected);
  }
  const RetireRecord& record = machine.program.records[machine.program.records.size() - 2];
  REQUIRE(record.writes.size() == 3);
  CHECK(record.writes[2].space == Space::acc);
  CHECK(record.writes[2].index == 10);
  CHECK(record.writes[2].row == 2);
}

TEST_CASE("a swap zeroes the buffer that it releases") {
  Machine machine("small");
  machine.push(Op::mxpush, Part::f32);
  const Placed swap = op::mxmul_bf16(a(0), v(1).f32(), swapped);
  machine.program.bundle({swap});
  machine.program.bundle({swap});
  const auto model = machine.run();
  for (std::uint32_t i = 0; i < 128; ++i) {
    CHECK(model.state().accumulator(0)[i] == 0);
  }
  for (const auto& buffer : model.state().weights) CHECK(buffer[0] == 0);
}

TEST_CASE("s8 multiplies sum exactly and take the low byte of any weight") {
  for (const Part weights : {Part::b1, Part::hi}) {
    Machine machine("small");
    machine.push(Op::mxpush, weights);
    const Placed multiply = op::mxmul_s8(a(0), v(1).b(2), swapped);
    machine.program.bundle({multiply});
    machine.program.bundle({op::mxmul_s8(a(0), v(1).b(3), accumulate)});
    const auto model = machine.run();
    const unsigned shift = weights == Part::b1 ? 8 : 16;
    const auto byte = [](std::uint32_t word, unsigned at_bit) {
      return static_cast<std::int32_t>(static_cast<std::int8_t>(word >> at_bit));
    };
    for (std::uint32_t i = 0; i < 128; ++i) {
      std::int32_t sum = 0;
      for (std::uint32_t k = 0; k < 16; ++k) {
        const std::uint32_t x = machine.activations[i / 16 * 16 + k];
        sum += (byte(x, 16) + byte(x, 24)) * byte(machine.matrix[k * 16 + i % 16], shift);
      }
      CHECK(model.state().accumulator(0)[i] == static_cast<std::uint32_t>(sum));
    }
  }
}

TEST_CASE("s8 multiplies take low bytes of weights that replaced released ones") {
  Machine machine("small");
  const Placed swap = op::mxmul_s8(a(0), v(1).b(2), swapped);
  machine.push(Op::mxpush, Part::b0);
  machine.program.bundle({swap});
  machine.program.bundle({swap});
  for (int round = 0; round < 2; ++round) {
    machine.push(Op::mxpush, Part::hi);
    machine.program.bundle({swap});
  }
  const auto model = machine.run();
  const auto byte = [](std::uint32_t word) {
    return static_cast<std::int32_t>(static_cast<std::int8_t>(word >> 16U));
  };
  for (std::uint32_t i = 0; i < 128; ++i) {
    std::int32_t sum = 0;
    for (std::uint32_t k = 0; k < 16; ++k) {
      sum += byte(machine.activations[i / 16 * 16 + k]) * byte(machine.matrix[k * 16 + i % 16]);
    }
    CHECK(model.state().accumulator(0)[i] == static_cast<std::uint32_t>(sum));
  }
}

TEST_CASE("bf16 halves multiply without rounding") {
  Machine machine("nano");
  machine.push(Op::mxpush, Part::lo);
  machine.program.bundle({op::mxmul_bf16(a(63), v(1).part_hi(), swapped)});
  const auto model = machine.run();
  for (std::uint32_t i = 0; i < 64; ++i) {
    std::uint32_t sum = 0;
    for (std::uint32_t k = 0; k < 8; ++k) {
      const auto x = static_cast<std::uint16_t>(machine.activations[i / 8 * 8 + k] >> 16U);
      const auto weight = static_cast<std::uint16_t>(machine.matrix[k * 8 + i % 8]);
      sum = numerics::f32_add(sum, numerics::bf16_product(x, weight));
    }
    CHECK(model.state().accumulator(63)[i] == sum);
  }
}
