// Architectural state of one core apart from HBM: docs/reference.md, section 1. Sized by the
// parameters at run time; at construction it is as after power-up and a start.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "isa/archive/archive.hpp"
#include "isa/parameters.hpp"

namespace tandem {

// Word i of a space of never-written state, the same in every model.
enum class PatternSpace : std::uint32_t { vectors = 1, accumulators, weights, vmem };
std::uint32_t pattern(std::uint32_t seed, PatternSpace space, std::uint32_t index);

struct State {
  State(const Parameters& machine, std::uint32_t seed);
  // Clears the state that a start clears; vectors, accumulators, weights and VMEM keep their
  // contents.
  void start();

  // Registers past the architectural ones are the golden model's: pending results for a register
  // that the same bundle still reads, and a sink for discarded writes.
  static constexpr std::uint32_t spare_registers = 10;

  const Parameters* parameters;

  std::array<std::uint32_t, scalar_registers + spare_registers> scalars{};
  std::array<std::uint8_t, predicate_registers + spare_registers> predicates{};  // 0 or 1
  std::array<std::uint32_t, sync_flags> flags{};
  std::vector<std::uint32_t> smem;          // word address
  std::vector<std::uint32_t> vmem;          // row * L + lane
  std::vector<std::uint32_t> vectors;       // register * 8L + r * L + j
  std::vector<std::uint32_t> masks;         // register * mask_words() + word; bit r * L + j
  std::vector<std::uint32_t> accumulators;  // accumulator * 8L + r * L + j
  std::array<std::vector<std::uint16_t>, 2> weights;  // buffer; k * L + j
  std::uint32_t active = 0;                           // which buffer multiplies read

  [[nodiscard]] std::uint32_t vector_words() const { return parameters->vector_words(); }
  [[nodiscard]] std::uint32_t mask_words() const { return vector_words() / 32; }
  [[nodiscard]] std::span<const std::uint32_t> vector(std::uint32_t number) const;
  [[nodiscard]] std::span<const std::uint32_t> accumulator(std::uint32_t number) const;
  [[nodiscard]] std::span<const std::uint32_t> vmem_row(std::uint32_t row) const;
  // A mask as in retire records: 8L bits, bit r * L + j, 32 bits a word.
  [[nodiscard]] std::span<const std::uint32_t> mask(std::uint32_t number) const;

  // For snapshot files.
  template <typename A>
  void archive(A& a) {
    a(scalars, predicates, flags, fixed(smem), fixed(vmem), fixed(vectors), fixed(masks),
      fixed(accumulators), fixed(weights[0]), fixed(weights[1]), active);
  }
};

}  // namespace tandem
