#include "cosim/foreign/part_words.hpp"

#include <cstring>

namespace tandem {
namespace {

constexpr std::size_t status_word_count = 4;

// Of host registers: status_halted.
enum : std::uint32_t {
#define REGISTER_BIT(register_name, name, bit, meaning) register_name##_##name = 1U << (bit),
#include "isa/registers/register_bits.def"
#undef REGISTER_BIT
};

const void* state_start(CorePart part, const MachineState& state) {
  switch (part) {
    case CorePart::sreg: return state.scalars;
    case CorePart::mreg: return state.masks;
    case CorePart::flag: return state.flags;
    case CorePart::vreg: return state.vectors;
    case CorePart::acc: return state.accumulators;
    case CorePart::weights_active: return state.weights_active;
    case CorePart::weights_filling: return state.weights_filling;
    case CorePart::smem: return state.smem;
    case CorePart::vmem: return state.vmem;
    case CorePart::preg:
    case CorePart::hbm:
    case CorePart::status:
    case CorePart::counters:
    case CorePart::timing: return nullptr;
  }
  return nullptr;
}

void add_pair(std::vector<std::uint32_t>& words, std::uint64_t value) {
  words.push_back(static_cast<std::uint32_t>(value));
  words.push_back(static_cast<std::uint32_t>(value >> 32U));
}

}  // namespace

std::size_t part_words(CorePart part, const Parameters& parameters) {
  const std::size_t vector = parameters.vector_words();
  switch (part) {
    case CorePart::sreg: return scalar_registers;
    case CorePart::preg: return 1;
    case CorePart::mreg: return mask_registers * vector / 32;
    case CorePart::flag: return sync_flags;
    case CorePart::vreg: return vector_registers * vector;
    case CorePart::acc: return accumulators * vector;
    case CorePart::weights_active:
    case CorePart::weights_filling: return std::size_t{parameters.lanes} * parameters.lanes / 2;
    case CorePart::smem: return parameters.smem_words();
    case CorePart::vmem: return parameters.vmem_words();
    case CorePart::status: return status_word_count;
    case CorePart::counters: return counter_word_count;
    case CorePart::hbm:
    case CorePart::timing: return 0;
  }
  return 0;
}

std::vector<std::uint32_t> state_words(CorePart part, const MachineState& state,
                                       const Parameters& parameters) {
  if (part == CorePart::preg) return {state.predicates};
  std::vector<std::uint32_t> words(part_words(part, parameters));
  const void* const start = state_start(part, state);
  if (start != nullptr) std::memcpy(words.data(), start, 4 * words.size());
  return words;
}

bool set_state_words(CorePart part, std::span<const std::uint32_t> words, State& state) {
  const auto put = [words](auto& place) {
    std::memcpy(place.data(), words.data(), words.size_bytes());
  };
  switch (part) {
    case CorePart::vreg: put(state.vectors); return true;
    case CorePart::acc: put(state.accumulators); return true;
    case CorePart::weights_active: put(state.weights[state.active]); return true;
    case CorePart::weights_filling: put(state.weights[1 - state.active]); return true;
    case CorePart::vmem: put(state.vmem); return true;
    case CorePart::sreg:
    case CorePart::preg:
    case CorePart::mreg:
    case CorePart::flag:
    case CorePart::smem:
    case CorePart::hbm:
    case CorePart::status:
    case CorePart::counters:
    case CorePart::timing: return false;
  }
  return false;
}

std::vector<std::uint32_t> status_words(const MachineStatus& status) {
  const std::uint32_t bits = (status.halted ? status_halted : 0) |
                             (status.trapped ? status_trapped : 0) |
                             (status.machine_check ? status_machine_check : 0);
  return {bits, status.trap_cause, status.trap_pc, status.trap_detail};
}

MachineStatus status_of(std::span<const std::uint32_t> words) {
  return {(words[0] & status_halted) != 0,
          (words[0] & status_trapped) != 0,
          (words[0] & status_machine_check) != 0,
          words[1],
          words[2],
          words[3]};
}

std::vector<std::uint32_t> counter_words(const CounterValues& counters) {
  std::vector<std::uint32_t> words;
  add_pair(words, counters.cycles);
  for (const std::uint64_t cause : counters.causes) add_pair(words, cause);
  for (const std::uint64_t event : counters.events) add_pair(words, event);
  return words;
}

CounterValues counters_of(std::span<const std::uint32_t> words) {
  CounterValues values;
  std::size_t at = 0;
  const auto next = [&] {
    at += 2;
    return words[at - 2] | std::uint64_t{words[at - 1]} << 32U;
  };
  values.cycles = next();
  for (std::uint64_t& cause : values.causes) cause = next();
  for (std::uint64_t& event : values.events) event = next();
  return values;
}

}  // namespace tandem
