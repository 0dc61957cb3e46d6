// The comparison once the machine has stopped: leftovers, status, registers and memories.
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

// The reported state of a core, compared part by part.
class FinalParts {
 public:
  FinalParts(const State& golden, const MachineState& core, const CoreTerms& terms)
      : golden_(golden), core_(core), terms_(terms) {}

  [[nodiscard]] std::optional<Mismatch> compare_registers() const;
  [[nodiscard]] std::optional<Mismatch> compare_memories() const;

 private:
  // As compare_words().
  [[nodiscard]] std::optional<Mismatch> words(CorePart part, CompareField field, Space space,
                                              const std::uint32_t* expected,
                                              const std::uint32_t* got, std::size_t count,
                                              std::size_t unit) const {
    if (!terms_.tells(part)) return std::nullopt;
    return compare_words(field, space, expected, got, count, unit);
  }
  [[nodiscard]] std::optional<Mismatch> predicates() const {
    const std::uint32_t bits = predicate_bits(golden_);
    if (!terms_.tells(CorePart::preg) || bits == core_.predicates) return std::nullopt;
    return of_end(CompareField::final_preg, bits, core_.predicates);
  }
  [[nodiscard]] std::optional<Mismatch> weights(CorePart part, CompareField field,
                                                std::uint32_t buffer,
                                                const std::uint16_t* got) const {
    if (!terms_.tells(part)) return std::nullopt;
    return compare_weights(field, golden_.weights[buffer].data(), got, golden_.parameters->lanes);
  }

  const State& golden_;
  const MachineState& core_;
  const CoreTerms& terms_;
};

std::optional<Mismatch> FinalParts::compare_registers() const {
  const std::size_t vector = golden_.vector_words();
  if (auto m = words(CorePart::sreg, CompareField::final_sreg, Space::sreg, golden_.scalars.data(),
                     core_.scalars, scalar_registers, 1)) {
    return m;
  }
  if (auto m = predicates()) return m;
  const std::vector<std::uint32_t> masks = all_mask_bits(golden_);
  if (auto m = words(CorePart::mreg, CompareField::final_mreg, Space::mreg, masks.data(),
                     core_.masks, masks.size(), masks.size() / mask_registers)) {
    return m;
  }
  if (auto m = words(CorePart::flag, CompareField::final_flag, Space::flag_set,
                     golden_.flags.data(), core_.flags, sync_flags, 1)) {
    return m;
  }
  if (auto m = words(CorePart::vreg, CompareField::final_vreg, Space::vreg, golden_.vectors.data(),
                     core_.vectors, vector_registers * vector, vector)) {
    return m;
  }
  return words(CorePart::acc, CompareField::final_acc, Space::acc, golden_.accumulators.data(),
               core_.accumulators, accumulators * vector, golden_.parameters->lanes);
}

std::optional<Mismatch> FinalParts::compare_memories() const {
  if (auto m = weights(CorePart::weights_active, CompareField::final_weights_active, golden_.active,
                       core_.weights_active)) {
    return m;
  }
  if (auto m = weights(CorePart::weights_filling, CompareField::final_weights_filling,
                       1 - golden_.active, core_.weights_filling)) {
    return m;
  }
  if (auto m = words(CorePart::smem, CompareField::final_smem, Space::smem, golden_.smem.data(),
                     core_.smem, golden_.smem.size(), 1)) {
    return m;
  }
  return words(CorePart::vmem, CompareField::final_vmem, Space::vmem, golden_.vmem.data(),
               core_.vmem, golden_.vmem.size(), golden_.parameters->lanes);
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
                                            const SparseMemory& hbm, const CoreTerms& terms) {
  const FinalParts parts(golden.state(), state, terms);
  if (auto m = parts.compare_registers()) return m;
  if (auto m = parts.compare_memories()) return m;
  if (!terms.tells(CorePart::hbm)) return std::nullopt;
  return compare_hbm(golden.hbm(), hbm);
}

void Checker::finish() {
  if (ended()) return;
  if (waiting_) {
    Mismatch mismatch = of_end(CompareField::csr_volatile, 1, 0);
    mismatch.sequence = bundles_;
    return fail(std::move(mismatch));
  }
  if (!bundles_are_told()) run_to_end();
  if (ended() || !terms_.undecided.empty()) return;
  if (bundles_ == 0) return fail(of_end(CompareField::end_nothing, 1, 0));
  if (golden_.status() == RunStatus::running) {
    return fail(of_end(CompareField::end_missing, golden_.pc(), 0));
  }
  check_leftovers();
  if (ended()) return;
  if (terms_.tells(CorePart::status)) check_status();
  if (ended()) return;
  if (terms_.tells(CorePart::counters)) check_counters();
  if (ended()) return;
  if (auto mismatch = compare_final_state(golden_, machine_.state(), machine_.hbm(), terms_)) {
    fail(std::move(*mismatch));
  }
}

void Checker::check_leftovers() {
  const std::uint64_t span = std::min<std::uint64_t>(history_.capacity(), bundles_);
  for (std::uint64_t sequence = bundles_ - span; sequence < bundles_; ++sequence) {
    const Expectation* entry = history_.find(static_cast<std::uint32_t>(sequence));
    if (entry != nullptr && !entry->complete()) return report_incomplete(*entry);
  }
  if (!copies_.empty() && terms_.level != CheckLevel::final) {
    Mismatch mismatch = of_end(CompareField::copy_done_missing, 1, 0);
    mismatch.sequence = copies_.front().sequence;
    mismatch.slot = Slot::dma;
    return fail(std::move(mismatch));
  }
}

void Checker::check_counters() {
  const CounterValues counters = machine_.counters();
  if (auto mismatch = tally_.compare(counters)) return fail(std::move(*mismatch));
  if (!terms_.tells(CorePart::timing)) return;
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
