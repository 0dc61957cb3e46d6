#include "isa/state/state.hpp"

#include <algorithm>

namespace tandem {
namespace {

template <typename Word>
void fill_pattern(std::span<Word> words, std::uint32_t seed, PatternSpace space,
                  std::uint32_t first) {
  for (std::uint32_t i = 0; i < words.size(); ++i) {
    words[i] = static_cast<Word>(pattern(seed, space, first + i));
  }
}

}  // namespace

std::uint32_t pattern(std::uint32_t seed, PatternSpace space, std::uint32_t index) {
  std::uint32_t x = seed * 0x9e3779b9U + static_cast<std::uint32_t>(space) * 0x85ebca6bU + index;
  x ^= x >> 16U;
  x *= 0x7feb352dU;
  x ^= x >> 15U;
  x *= 0x846ca68bU;
  x ^= x >> 16U;
  return x;
}

State::State(const Parameters& machine, std::uint32_t seed)
    : parameters(&machine),
      smem(machine.smem_words()),
      vmem(machine.vmem_words()),
      vectors(std::size_t{vector_registers + spare_registers} * machine.vector_words()),
      masks(std::size_t{mask_registers + spare_registers} * (machine.vector_words() / 32)),
      accumulators(std::size_t{tandem::accumulators} * machine.vector_words()) {
  const std::uint32_t architectural = vector_registers * machine.vector_words();
  fill_pattern(std::span(vectors).first(architectural), seed, PatternSpace::vectors, 0);
  fill_pattern(std::span(accumulators), seed, PatternSpace::accumulators, 0);
  fill_pattern(std::span(vmem), seed, PatternSpace::vmem, 0);
  const std::uint32_t buffer_words = machine.lanes * machine.lanes;
  for (std::uint32_t buffer = 0; buffer < weights.size(); ++buffer) {
    weights[buffer].resize(buffer_words);
    fill_pattern(std::span(weights[buffer]), seed, PatternSpace::weights, buffer * buffer_words);
  }
  start();
}

void State::start() {
  scalars.fill(0);
  predicates.fill(0);
  flags.fill(0);
  std::fill(smem.begin(), smem.end(), 0);
  std::fill(masks.begin(), masks.end(), 0);
  predicates[0] = 1;
  for (std::uint32_t word = 0; word < mask_words(); ++word) masks[word] = ~0U;
}

std::span<const std::uint32_t> State::vector(std::uint32_t number) const {
  return std::span(vectors).subspan(std::size_t{number} * vector_words(), vector_words());
}

std::span<const std::uint32_t> State::accumulator(std::uint32_t number) const {
  return std::span(accumulators).subspan(std::size_t{number} * vector_words(), vector_words());
}

std::span<const std::uint32_t> State::vmem_row(std::uint32_t row) const {
  return std::span(vmem).subspan(std::size_t{row} * parameters->lanes, parameters->lanes);
}

std::span<const std::uint32_t> State::mask(std::uint32_t number) const {
  return std::span(masks).subspan(std::size_t{number} * mask_words(), mask_words());
}

}  // namespace tandem
