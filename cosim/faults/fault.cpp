#include "cosim/faults/fault.hpp"

#include <fmt/format.h>

#include <vector>

#include "cosim/checker/copies.hpp"
#include "cosim/faults/faulty_sink.hpp"
#include "isa/archive/archive.hpp"
#include "runtime/error.hpp"
#include "runtime/models/forwarding_machine.hpp"

namespace tandem {
namespace {

class FaultyMachine final : public ForwardingMachine {
 public:
  FaultyMachine(std::unique_ptr<Machine> machine, const Fault& fault,
                std::optional<std::uint64_t>* planted)
      : ForwardingMachine(std::move(machine)),
        trigger_(fault, planted),
        sink_(trigger_, inner().parameters()),
        timing_(trigger_),
        hbm_(0) {}

  void start(const Launch& launch) override {
    stopped_ = false;
    trigger_.rearm();
    inner().start(launch);
  }
  void set_timing(TimingSink* sink) override {
    timing_.set_sink(sink);
    inner().set_timing(sink == nullptr ? nullptr : &timing_);
  }
  std::uint32_t read_register(std::uint32_t number) override {
    const std::uint32_t value = inner().read_register(number);
    // Wrong in one cause only, so that the causes no longer add up; or in an event that only
    // another machine's counter shows.
    if (plants(CompareField::end_counter) && number == cause_base) return value ^ 8U;
    if (plants(CompareField::timing_counter) && number == misses_register) return value ^ 1U;
    return value;
  }

  bool cycle(EventSink* sink) override {
    sink_.set_sink(sink);
    stopped_ = !inner().cycle(&sink_) || sink_.stops_now();
    return !stopped_;
  }

  const SparseMemory& hbm() const override {
    const bool bad_bytes =
        sink_.bad_copy() && copy_destination_space(*sink_.bad_copy()) == CopySpace::hbm;
    if (!bad_bytes && !(stopped_ && plants(CompareField::final_hbm))) {
      return inner().hbm();
    }
    hbm_ = inner().hbm();
    const std::uint64_t address = bad_bytes ? first_byte() : text_base;
    hbm_.write_word(address, hbm_.read_word(address) ^ 0x100U);
    return hbm_;
  }

  MachineState state() const override {
    MachineState state = inner().state();
    const Parameters& parameters = inner().parameters();
    if (sink_.bad_copy()) {
      const auto word = static_cast<std::size_t>(first_byte() / 4);
      const CopySpace space = copy_destination_space(*sink_.bad_copy());
      if (space == CopySpace::vmem) corrupt_at(state.vmem, parameters.vmem_words(), word);
      if (space == CopySpace::smem) corrupt_at(state.smem, parameters.smem_words(), word);
    }
    if (stopped_) corrupt_final(state, parameters);
    return state;
  }

  MachineStatus status() override {
    MachineStatus status = inner().status();
    if (plants(CompareField::end_status)) {
      bool* const bits[] = {&status.trapped, &status.halted, &status.machine_check};
      bool& bit = *bits[place(0, std::size(bits))];
      bit = !bit;
    }
    if (plants(CompareField::end_trap_cause)) status.trap_cause ^= 0x200;
    if (plants(CompareField::end_trap_pc)) status.trap_pc ^= 1;
    if (plants(CompareField::end_trap_detail)) status.trap_detail ^= 1;
    return status;
  }

  // The machine first, so that one without a fault can be restored from it.
  void save_to(ArchiveWriter& archive) override {
    inner().save_to(archive);
    archive(trigger_, sink_, timing_, stopped_);
  }
  void restore_from(ArchiveReader& archive) override {
    inner().restore_from(archive);
    archive(trigger_, sink_, timing_, stopped_);
  }

 private:
  static constexpr std::uint32_t misses_register =
      event_base + 2 * static_cast<std::uint32_t>(CountedEvent::icache_misses);

  [[nodiscard]] bool plants(CompareField field) const { return trigger_.fault().field == field; }

  [[nodiscard]] std::uint64_t first_byte() const {
    std::uint64_t first = 0;
    for_each_destination_run(*sink_.bad_copy(), [&first](std::uint64_t address, std::uint32_t) {
      first = address;
      return false;
    });
    return first;
  }

  // Of `count` places in the final state, the one given by the fault's number.
  [[nodiscard]] std::size_t place(std::size_t otherwise, std::size_t count) const {
    const std::uint64_t number = trigger_.fault().sequence;
    return static_cast<std::size_t>((number == 0 ? otherwise : number) % count);
  }

  // Replaces an array by a copy with one bit wrong, by default in word `otherwise`.
  template <typename Word>
  void corrupt(const Word*& words, std::size_t count, std::size_t otherwise) const {
    corrupt_at(words, count, place(otherwise, count));
  }
  template <typename Word>
  void corrupt_at(const Word*& words, std::size_t count, std::size_t at) const {
    copy_.assign(reinterpret_cast<const std::uint8_t*>(words),
                 reinterpret_cast<const std::uint8_t*>(words + count));
    copy_[at * sizeof(Word)] ^= 1;
    words = reinterpret_cast<const Word*>(copy_.data());
  }

  void corrupt_final(MachineState& state, const Parameters& parameters) const {
    const std::size_t vector = parameters.vector_words();
    const std::size_t square = std::size_t{parameters.lanes} * parameters.lanes;
    const std::size_t masks = mask_registers * vector / 32;
    if (plants(CompareField::final_sreg)) corrupt(state.scalars, scalar_registers, 17);
    if (plants(CompareField::final_preg)) state.predicates ^= 1U << place(3, predicate_registers);
    if (plants(CompareField::final_mreg)) corrupt(state.masks, masks, 3);
    if (plants(CompareField::final_flag)) corrupt(state.flags, sync_flags, 9);
    if (plants(CompareField::final_vreg)) corrupt(state.vectors, vector_registers * vector, 700);
    if (plants(CompareField::final_acc)) corrupt(state.accumulators, accumulators * vector, 900);
    if (plants(CompareField::final_weights_active)) corrupt(state.weights_active, square, 40);
    if (plants(CompareField::final_weights_filling)) corrupt(state.weights_filling, square, 41);
    if (plants(CompareField::final_smem)) corrupt(state.smem, parameters.smem_words(), 1000);
    if (plants(CompareField::final_vmem)) corrupt(state.vmem, parameters.vmem_words(), 5000);
  }

  FaultTrigger trigger_;
  FaultySink sink_;
  FaultyTimingSink timing_;
  bool stopped_ = false;
  mutable SparseMemory hbm_;
  mutable std::vector<std::uint8_t> copy_;
};

}  // namespace

namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw runtime::Error{runtime::ErrorCode::invalid_argument, message};
}

// Removes the part after `mark` from the text; nothing if there is no mark.
std::optional<std::string> cut(std::string& text, char mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string::npos) return std::nullopt;
  std::string behind = text.substr(at + 1);
  text.resize(at);
  return behind;
}

Op operation_named(const std::string& text, const std::string& mnemonic) {
  const Instruction* row = find_instruction(mnemonic);
  if (row == nullptr) {
    refuse(fmt::format("--plant {}: no operation is called '{}'", text, mnemonic));
  }
  return row->op;
}

CompareField field_named(const std::string& name) {
  std::string known;
  for (const CompareFieldRow& row : compare_fields()) {
    if (row.text == name) return row.field;
    known += fmt::format("\n  {:24} {}", row.text, row.meaning);
  }
  refuse(fmt::format("--plant: lockstep compares no field '{}'; it compares{}", name, known));
}

}  // namespace

Fault parse_fault(const std::string& text) {
  std::string field = text;
  Fault fault;
  if (const auto number = cut(field, '@')) {
    if (number->empty() || number->size() > 15 ||
        number->find_first_not_of("0123456789") != std::string::npos) {
      refuse(fmt::format("--plant {}: '{}' is no bundle number", text, *number));
    }
    fault.sequence = std::stoull(*number);
  }
  if (auto operation = cut(field, ':')) {
    if (const auto with = cut(*operation, '+')) fault.with = operation_named(text, *with);
    fault.op = operation_named(text, *operation);
  }
  fault.field = field_named(field);
  return fault;
}

std::unique_ptr<Machine> make_faulty_machine(std::unique_ptr<Machine> machine, const Fault& fault,
                                             std::optional<std::uint64_t>* planted) {
  return std::make_unique<FaultyMachine>(std::move(machine), fault, planted);
}

}  // namespace tandem
