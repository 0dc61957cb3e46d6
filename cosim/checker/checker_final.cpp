// What is compared once the machine has stopped: leftovers, status, registers and memories.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "cosim/checker/checker.hpp"

namespace tandem {
namespace {

Mismatch of_end(CompareField field, std::uint32_t expected, std::uint32_t got) {
  Mismatch mismatch;
  mismatch.field = field;
  mismatch.expected = {expected};
  mismatch.got = {got};
  return mismatch;
}

// The first unit (register, row, word) of a space that differs, as a mismatch of that unit.
std::optional<Mismatch> compare_words(CompareField field, Space space,
                                      const std::uint32_t* expected, const std::uint32_t* got,
                                      std::size_t words, std::size_t unit) {
  if (std::memcmp(expected, got, words * 4) == 0) return std::nullopt;
  std::size_t at = 0;
  while (expected[at] == got[at]) ++at;
  Mismatch mismatch;
  mismatch.field = field;
  mismatch.space = space;
  mismatch.index = static_cast<std::uint32_t>(at / unit);
  const std::size_t begin = at / unit * unit;
  mismatch.expected.assign(expected + begin, expected + begin + unit);
  mismatch.got.assign(got + begin, got + begin + unit);
  mismatch.element = at - begin;
  return mismatch;
}

std::optional<Mismatch> compare_weights(CompareField field, const std::uint16_t* expected,
                                        const std::uint16_t* got, std::uint32_t lanes) {
  const std::size_t count = std::size_t{lanes} * lanes;
  if (std::memcmp(expected, got, count * 2) == 0) return std::nullopt;
  std::size_t at = 0;
  while (expected[at] == got[at]) ++at;
  Mismatch mismatch = of_end(field, expected[at], got[at]);
  const auto row = static_cast<std::uint32_t>(at / lanes);
  const auto column = static_cast<std::uint32_t>(at % lanes);
  mismatch.place = fmt::format("weight row {} column {}", row, column);
  mismatch.weight = {field == CompareField::final_weights_active, row, column};
  return mismatch;
}

std::uint32_t predicate_bits(const State& state) {
  std::uint32_t bits = 0;
  for (std::uint32_t number = 0; number < predicate_registers; ++number) {
    bits |= std::uint32_t{state.predicates[number]} << number;
  }
  return bits;
}

std::vector<std::uint32_t> all_mask_bits(const State& state) {
  std::vector<std::uint32_t> bits;
  for (std::uint32_t number = 0; number < mask_registers; ++number) {
    const std::span<const std::uint32_t> mask = state.mask(number);
    bits.insert(bits.end(), mask.begin(), mask.end());
  }
  return bits;
}

std::optional<Mismatch> compare_registers(const State& golden, const MachineState& state) {
  const std::size_t vector = golden.vector_words();
  if (auto m = compare_words(CompareField::final_sreg, Space::sreg, golden.scalars.data(),
                             state.scalars, scalar_registers, 1)) {
    return m;
  }
  if (predicate_bits(golden) != state.predicates) {
    return of_end(CompareField::final_preg, predicate_bits(golden), state.predicates);
  }
  const std::vector<std::uint32_t> masks = all_mask_bits(golden);
  if (auto m = compare_words(CompareField::final_mreg, Space::mreg, masks.data(), state.masks,
                             masks.size(), masks.size() / mask_registers)) {
    return m;
  }
  if (auto m = compare_words(CompareField::final_flag, Space::flag_set, golden.flags.data(),
                             state.flags, sync_flags, 1)) {
    return m;
  }
  if (auto m = compare_words(CompareField::final_vreg, Space::vreg, golden.vectors.data(),
                             state.vectors, vector_registers * vector, vector)) {
    return m;
  }
  return compare_words(CompareField::final_acc, Space::acc, golden.accumulators.data(),
                       state.accumulators, accumulators * vector, golden.parameters->lanes);
}

std::optional<Mismatch> compare_memories(const State& golden, const MachineState& state) {
  const std::uint32_t lanes = golden.parameters->lanes;
  if (auto m = compare_weights(CompareField::final_weights_active,
                               golden.weights[golden.active].data(), state.weights_active, lanes)) {
    return m;
  }
  if (auto m =
          compare_weights(CompareField::final_weights_filling,
                          golden.weights[1 - golden.active].data(), state.weights_filling, lanes)) {
    return m;
  }
  if (auto m = compare_words(CompareField::final_smem, Space::smem, golden.smem.data(), state.smem,
                             golden.smem.size(), 1)) {
    return m;
  }
  return compare_words(CompareField::final_vmem, Space::vmem, golden.vmem.data(), state.vmem,
                       golden.vmem.size(), lanes);
}

std::optional<Mismatch> compare_hbm(const SparseMemory& golden, const SparseMemory& machine) {
  const std::optional<std::uint64_t> address = golden.first_difference(machine);
  if (!address) return std::nullopt;
  const std::uint64_t word = *address & ~std::uint64_t{3};
  Mismatch mismatch =
      of_end(CompareField::final_hbm, golden.read_word(word), machine.read_word(word));
  mismatch.place = fmt::format("HBM {:#x}", word);
  mismatch.address = word;
  return mismatch;
}

}  // namespace

std::optional<Mismatch> compare_final_state(const GoldenModel& golden, const MachineState& state,
                                            const SparseMemory& hbm) {
  if (auto m = compare_registers(golden.state(), state)) return m;
  if (auto m = compare_memories(golden.state(), state)) return m;
  return compare_hbm(golden.hbm(), hbm);
}

void Checker::finish() {
  if (ended()) return;
  if (waiting_) {
    Mismatch mismatch = of_end(CompareField::csr_volatile, 1, 0);
    mismatch.sequence = bundles_;
    return fail(std::move(mismatch));
  }
  if (bundles_ == 0) return fail(of_end(CompareField::end_nothing, 1, 0));
  if (golden_.status() == RunStatus::running) {
    return fail(of_end(CompareField::end_missing, golden_.pc(), 0));
  }
  check_leftovers();
  if (ended()) return;
  check_status();
  if (ended()) return;
  check_counters();
  if (ended()) return;
  if (auto mismatch = compare_final_state(golden_, machine_.state(), machine_.hbm())) {
    fail(std::move(*mismatch));
  }
}

void Checker::check_leftovers() {
  const std::uint64_t span = std::min<std::uint64_t>(history_.capacity(), bundles_);
  for (std::uint64_t sequence = bundles_ - span; sequence < bundles_; ++sequence) {
    const Expectation* entry = history_.find(static_cast<std::uint32_t>(sequence));
    if (entry != nullptr && !entry->complete()) return report_incomplete(*entry);
  }
  if (!copies_.empty()) {
    Mismatch mismatch = of_end(CompareField::copy_done_missing, 1, 0);
    mismatch.sequence = copies_.front().sequence;
    mismatch.slot = Slot::dma;
    return fail(std::move(mismatch));
  }
}

void Checker::check_counters() {
  const CounterValues counters = machine_.counters();
  if (auto mismatch = tally_.compare(counters)) return fail(std::move(*mismatch));
  if (auto mismatch = stream_.compare(counters)) fail(std::move(*mismatch));
}

void Checker::check_status() {
  const MachineStatus status = machine_.status();
  const auto check = [this](CompareField field, std::uint32_t expected, std::uint32_t got) {
    if (expected != got) fail(of_end(field, expected, got));
  };
  const bool trapped = golden_.status() == RunStatus::trapped;
  check(CompareField::end_status, trapped ? 4 : 2,
        (status.halted ? 2U : 0U) | (status.trapped ? 4U : 0U) | (status.machine_check ? 8U : 0U));
  if (!trapped) return;
  const Trap& trap = golden_.trap();
  check(CompareField::end_trap_cause,
        static_cast<std::uint32_t>(trap.cause) | static_cast<std::uint32_t>(trap.slot) << 8U,
        status.trap_cause);
  check(CompareField::end_trap_pc, golden_.pc(), status.trap_pc);
  check(CompareField::end_trap_detail, trap.detail, status.trap_detail);
}

}  // namespace tandem
