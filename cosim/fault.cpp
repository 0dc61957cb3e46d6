#include "cosim/fault.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "cosim/copies.hpp"

namespace tandem {
namespace {

// Stands between a machine and the checker, and changes one event.
class FaultySink final : public EventSink {
 public:
  FaultySink(const Fault& fault, const Parameters& parameters,
             std::optional<std::uint64_t>* planted)
      : fault_(fault), parameters_(parameters), planted_(planted) {}

  void set_sink(EventSink* sink) { sink_ = sink; }
  // The copy whose bytes the machine is to show wrong while its completion is compared.
  [[nodiscard]] const std::optional<CopyIssue>& bad_copy() const { return bad_copy_; }
  [[nodiscard]] bool stops_now() const { return stops_; }

  void issue(const IssueEvent& event) override {
    IssueEvent changed = event;
    switch (fault_.field) {
      case CompareField::issue_sequence:
        if (hit(event.sequence)) changed.sequence ^= 1U << 20U;
        break;
      case CompareField::issue_pc:
        if (hit(event.sequence)) changed.pc ^= 2;
        break;
      case CompareField::issue_next_pc:
        if (hit(event.sequence)) changed.next_pc ^= 4;
        break;
      case CompareField::issue_bundle:
        if (hit(event.sequence)) changed.bundle[9] ^= 1U << 17U;
        break;
      case CompareField::issue_enabled:
        if (hit(event.sequence)) changed.enabled ^= 1U << 8U;
        break;
      case CompareField::issue_halted:
        if (hit(event.sequence)) changed.halted = !event.halted;
        break;
      case CompareField::issue_trap_cause:
        if (hit(event.sequence)) changed.trap.cause = other_cause(event.trap.cause);
        break;
      case CompareField::issue_trap_slot:
        if (hit(event.sequence))
          changed.trap.slot = event.trap.slot == Slot::sa ? Slot::sb : Slot::sa;
        break;
      case CompareField::issue_trap_detail:
        if (hit(event.sequence)) changed.trap.detail ^= 1;
        break;
      case CompareField::copy_extra:
        sink_->issue(changed);
        if (!is_copy(event) && hit(event.sequence)) sink_->copy_issue({event.sequence, {}});
        return;
      case CompareField::issue_extra:
        sink_->issue(changed);
        if ((event.halted || event.trap) && hit(event.sequence)) {
          ++changed.sequence;
          sink_->issue(changed);
        }
        return;
      case CompareField::end_missing: stops_ = hit(event.sequence) || stops_; break;
      case CompareField::end_nothing: return;
      default: break;
    }
    sink_->issue(changed);
  }

  void copy_issue(const CopyIssueEvent& event) override {
    CopyIssueEvent changed = event;
    switch (fault_.field) {
      case CompareField::copy_missing:
        if (hit(event.sequence)) return;
        break;
      case CompareField::copy_descriptor:
        if (hit(event.sequence)) changed.copy.descriptor[6] ^= 4;
        break;
      case CompareField::copy_source:
        if (hit(event.sequence)) changed.copy.source ^= 4;
        break;
      case CompareField::copy_destination:
        if (hit(event.sequence)) changed.copy.destination ^= std::uint64_t{1} << 40U;
        break;
      case CompareField::copy_bytes: copies_[event.sequence] = event.copy; break;
      case CompareField::end_nothing: return;
      default: break;
    }
    sink_->copy_issue(changed);
  }

  void copy_done(const CopyDoneEvent& event) override {
    switch (fault_.field) {
      case CompareField::copy_done_missing:
        if (hit(event.sequence)) return;
        break;
      case CompareField::copy_done_extra:
        sink_->copy_done(event);
        if (hit(event.sequence)) sink_->copy_done(event);
        return;
      case CompareField::copy_bytes: return done_with_bad_bytes(event);
      case CompareField::end_nothing: return;
      default: break;
    }
    sink_->copy_done(event);
  }

  void write(const WriteEvent& event) override {
    WriteEvent changed = event;
    switch (fault_.field) {
      case CompareField::write_sequence:
        if (hit(event)) changed.sequence += 1U << 20U;
        break;
      case CompareField::write_missing:
        if (hit(event)) return;
        break;
      case CompareField::write_extra:
        if (hit(event)) sink_->write(event);
        break;
      case CompareField::write_space:
        if (hit(event)) changed.space = other_space(event.space);
        break;
      case CompareField::write_index:
        if (hit(event)) changed.index ^= 8;
        break;
      case CompareField::write_lanes:
        if (event.space == Space::vmem && hit(event)) changed.lanes[0] ^= 4;
        break;
      case CompareField::write_data:
        if (!event.volatile_csr && hit(event)) return write_bad_data(event);
        break;
      case CompareField::csr_volatile:
        if (event.slot == Slot::sb && hit(event)) changed.volatile_csr = !event.volatile_csr;
        break;
      case CompareField::end_nothing: return;
      default: break;
    }
    sink_->write(changed);
  }

 private:
  bool hit(std::uint32_t sequence) {
    if (done_ || sequence < fault_.sequence) return false;
    done_ = true;
    if (planted_ != nullptr) *planted_ = sequence;
    return true;
  }
  bool hit(const WriteEvent& event) {
    if (fault_.slot && *fault_.slot != event.slot) return false;
    if (fault_.space && *fault_.space != event.space) return false;
    return hit(event.sequence);
  }
  static bool is_copy(const IssueEvent& event) { return ((event.enabled >> 8U) & 1U) != 0; }
  static TrapCause other_cause(TrapCause cause) {
    return cause == TrapCause::deadlock ? TrapCause::none : TrapCause::deadlock;
  }
  static Space other_space(Space space) { return space == Space::sreg ? Space::preg : Space::sreg; }

  void write_bad_data(const WriteEvent& event) {
    const std::uint32_t words = data_words(event.space, parameters_);
    std::vector<std::uint32_t> data(event.data, event.data + words);
    std::uint32_t word = words / 2;
    if (event.space == Space::vmem) {  // a lane that is written
      word = 0;
      while (word + 1 < words && ((event.lanes[word / 32] >> (word % 32)) & 1U) == 0) ++word;
    }
    data[word] ^= 1;
    WriteEvent changed = event;
    changed.data = data.data();
    sink_->write(changed);
  }

  void done_with_bad_bytes(const CopyDoneEvent& event) {
    const CopyIssue& copy = copies_[event.sequence];
    bool moves = false;
    for_each_destination_run(copy,
                             [&moves](std::uint64_t, std::uint32_t) { return !(moves = true); });
    const bool fits = !fault_.space || wanted_space() == copy_destination_space(copy);
    if (moves && fits && hit(event.sequence)) bad_copy_ = copy;
    sink_->copy_done(event);
    bad_copy_.reset();
  }
  [[nodiscard]] CopySpace wanted_space() const {
    if (*fault_.space == Space::vmem) return CopySpace::vmem;
    return *fault_.space == Space::smem ? CopySpace::smem : CopySpace::hbm;
  }

  Fault fault_;
  Parameters parameters_;
  std::optional<std::uint64_t>* planted_;
  EventSink* sink_ = nullptr;
  bool done_ = false;
  bool stops_ = false;
  std::optional<CopyIssue> bad_copy_;
  std::map<std::uint32_t, CopyIssue> copies_;
};

class FaultyMachine final : public Machine {
 public:
  FaultyMachine(std::unique_ptr<Machine> machine, const Fault& fault,
                std::optional<std::uint64_t>* planted)
      : machine_(std::move(machine)),
        fault_(fault),
        sink_(fault, machine_->parameters(), planted),
        hbm_(0) {}

  const Parameters& parameters() const override { return machine_->parameters(); }
  void start(const Launch& launch) override { machine_->start(launch); }
  void set_timing(TimingSink* sink) override { machine_->set_timing(sink); }
  std::uint64_t cycles() const override { return machine_->cycles(); }
  std::uint64_t bundles() const override { return machine_->bundles(); }
  std::uint64_t memory_beats() const override { return machine_->memory_beats(); }
  StallCause cause() const override { return machine_->cause(); }
  std::uint32_t read_register(std::uint32_t number) override {
    // Wrong in one cause only, so that the causes no longer add up.
    const bool wrong = fault_.field == CompareField::end_counter && number == cause_base;
    return machine_->read_register(number) ^ (wrong ? 8U : 0U);
  }

  bool cycle(EventSink* sink) override {
    sink_.set_sink(sink);
    stopped_ = !machine_->cycle(&sink_) || sink_.stops_now();
    return !stopped_;
  }

  const SparseMemory& hbm() const override {
    const bool bad_bytes =
        sink_.bad_copy() && copy_destination_space(*sink_.bad_copy()) == CopySpace::hbm;
    if (!bad_bytes && !(stopped_ && fault_.field == CompareField::final_hbm)) {
      return machine_->hbm();
    }
    hbm_ = machine_->hbm();
    const std::uint64_t address = bad_bytes ? first_byte() : text_base;
    hbm_.write_word(address, hbm_.read_word(address) ^ 0x100U);
    return hbm_;
  }

  MachineState state() const override {
    MachineState state = machine_->state();
    const Parameters& parameters = machine_->parameters();
    if (sink_.bad_copy()) {
      const auto word = static_cast<std::size_t>(first_byte() / 4);
      const CopySpace space = copy_destination_space(*sink_.bad_copy());
      if (space == CopySpace::vmem) corrupt(state.vmem, parameters.vmem_words(), word);
      if (space == CopySpace::smem) corrupt(state.smem, parameters.smem_words(), word);
    }
    if (stopped_) corrupt_final(state, parameters);
    return state;
  }

  MachineStatus status() override {
    MachineStatus status = machine_->status();
    if (fault_.field == CompareField::end_status) status.trapped = !status.trapped;
    if (fault_.field == CompareField::end_trap_cause) status.trap_cause ^= 0x200;
    if (fault_.field == CompareField::end_trap_pc) status.trap_pc ^= 1;
    if (fault_.field == CompareField::end_trap_detail) status.trap_detail ^= 1;
    return status;
  }

 private:
  [[nodiscard]] std::uint64_t first_byte() const {
    std::uint64_t first = 0;
    for_each_destination_run(*sink_.bad_copy(), [&first](std::uint64_t address, std::uint32_t) {
      first = address;
      return false;
    });
    return first;
  }

  // Replaces an array by a copy with one bit wrong.
  template <typename Word>
  void corrupt(const Word*& words, std::size_t count, std::size_t at) const {
    copy_.assign(reinterpret_cast<const std::uint8_t*>(words),
                 reinterpret_cast<const std::uint8_t*>(words + count));
    copy_[at * sizeof(Word)] ^= 1;
    words = reinterpret_cast<const Word*>(copy_.data());
  }

  void corrupt_final(MachineState& state, const Parameters& parameters) const {
    const std::size_t vector = parameters.vector_words();
    const std::size_t square = std::size_t{parameters.lanes} * parameters.lanes;
    switch (fault_.field) {
      case CompareField::final_sreg: return corrupt(state.scalars, scalar_registers, 17);
      case CompareField::final_preg: state.predicates ^= 8; return;
      case CompareField::final_mreg: return corrupt(state.masks, mask_registers * vector / 32, 3);
      case CompareField::final_flag: return corrupt(state.flags, sync_flags, 9);
      case CompareField::final_vreg: return corrupt(state.vectors, vector_registers * vector, 700);
      case CompareField::final_acc: return corrupt(state.accumulators, accumulators * vector, 900);
      case CompareField::final_weights_active: return corrupt(state.weights_active, square, 40);
      case CompareField::final_weights_filling: return corrupt(state.weights_filling, square, 41);
      case CompareField::final_smem: return corrupt(state.smem, parameters.smem_words(), 1000);
      case CompareField::final_vmem: return corrupt(state.vmem, parameters.vmem_words(), 5000);
      default: return;
    }
  }

  std::unique_ptr<Machine> machine_;
  Fault fault_;
  FaultySink sink_;
  bool stopped_ = false;
  mutable SparseMemory hbm_;
  mutable std::vector<std::uint8_t> copy_;
};

}  // namespace

std::unique_ptr<Machine> make_faulty_machine(std::unique_ptr<Machine> machine, const Fault& fault,
                                             std::optional<std::uint64_t>* planted) {
  return std::make_unique<FaultyMachine>(std::move(machine), fault, planted);
}

}  // namespace tandem
