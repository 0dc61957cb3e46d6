#include "cosim/faults/faulty_sink.hpp"

#include <vector>

#include "isa/encoding.hpp"

namespace tandem {
namespace {

bool is_copy(const IssueEvent& event) {
  return ((event.enabled >> static_cast<unsigned>(Slot::dma)) & 1U) != 0;
}
TrapCause other_cause(TrapCause cause) {
  return cause == TrapCause::deadlock ? TrapCause::none : TrapCause::deadlock;
}
StallCause other_cause(StallCause cause) {
  return cause == StallCause::fetch ? StallCause::branch : StallCause::fetch;
}
Space other_space(Space space) { return space == Space::sreg ? Space::preg : Space::sreg; }

}  // namespace

void FaultTrigger::issued(const IssueEvent& event) {
  if (fault_.op) {
    recent_[event.sequence % kept_bundles] = {event.sequence, event.enabled, event.bundle};
  }
}

bool FaultTrigger::executes(std::uint32_t sequence, Op op, std::optional<Slot> slot) const {
  const Executed& bundle = recent_[sequence % kept_bundles];
  if (bundle.sequence != sequence) return false;
  for (std::size_t number = 0; number < slot_count; ++number) {
    const auto which = static_cast<Slot>(number);
    if ((slot && *slot != which) || ((bundle.enabled >> number) & 1U) == 0) continue;
    const auto operation = decode(which, slot_bits(bundle.bundle, which));
    if (operation && operation->op == op) return true;
  }
  return false;
}

bool FaultTrigger::has_operations(std::uint32_t sequence, std::optional<Slot> slot) const {
  if (!fault_.op) return true;
  if (!executes(sequence, *fault_.op, slot)) return false;
  if (!fault_.with) return true;
  for (std::uint32_t back = 0; back <= with_reach && back <= sequence; ++back) {
    // An operation does not count as its own companion.
    const bool same = back == 0 && *fault_.with == *fault_.op;
    if (!same && executes(sequence - back, *fault_.with, std::nullopt)) return true;
  }
  return false;
}

bool FaultTrigger::strike(CompareField field, std::uint64_t sequence, std::optional<Slot> slot) {
  if (done_ || fault_.field != field || sequence < fault_.sequence) return false;
  if (!has_operations(static_cast<std::uint32_t>(sequence), slot)) return false;
  done_ = true;
  if (planted_ != nullptr) *planted_ = sequence;
  return true;
}

bool FaultTrigger::strikes(CompareField field, std::uint64_t sequence) {
  return strike(field, sequence, std::nullopt);
}

bool FaultTrigger::strikes(CompareField field, const WriteEvent& event) {
  if (fault_.slot && *fault_.slot != event.slot) return false;
  if (fault_.space && *fault_.space != event.space) return false;
  return strike(field, event.sequence, event.slot);
}

// ---- events of a machine ----

void FaultySink::issue(const IssueEvent& event) {
  trigger_.issued(event);
  if (says_nothing()) return;
  const auto strikes = [&](CompareField field) { return trigger_.strikes(field, event.sequence); };
  IssueEvent changed = event;
  if (strikes(CompareField::issue_sequence)) changed.sequence ^= 1U << 20U;
  if (strikes(CompareField::issue_pc)) changed.pc ^= 2;
  if (strikes(CompareField::issue_next_pc)) changed.next_pc ^= 4;
  if (strikes(CompareField::issue_bundle)) changed.bundle[9] ^= 1U << 17U;
  if (strikes(CompareField::issue_enabled)) changed.enabled ^= 1U << 8U;
  if (strikes(CompareField::issue_halted)) changed.halted = !event.halted;
  if (strikes(CompareField::issue_trap_cause)) changed.trap.cause = other_cause(event.trap.cause);
  if (strikes(CompareField::issue_trap_slot)) {
    changed.trap.slot = event.trap.slot == Slot::sa ? Slot::sb : Slot::sa;
  }
  if (strikes(CompareField::issue_trap_detail)) changed.trap.detail ^= 1;
  if (strikes(CompareField::end_missing)) stops_ = true;
  sink_->issue(changed);
  if (!is_copy(event) && strikes(CompareField::copy_extra)) {
    sink_->copy_issue({event.sequence, {}});
  }
  if ((event.halted || event.trap) && strikes(CompareField::issue_extra)) {
    ++changed.sequence;
    sink_->issue(changed);
  }
}

void FaultySink::copy_issue(const CopyIssueEvent& event) {
  if (says_nothing()) return;
  const auto strikes = [&](CompareField field) { return trigger_.strikes(field, event.sequence); };
  if (strikes(CompareField::copy_missing)) return;
  CopyIssueEvent changed = event;
  if (strikes(CompareField::copy_descriptor)) changed.copy.descriptor[6] ^= 4;
  if (strikes(CompareField::copy_source)) changed.copy.source ^= 4;
  if (strikes(CompareField::copy_destination)) changed.copy.destination ^= std::uint64_t{1} << 40U;
  if (trigger_.fault().field == CompareField::copy_bytes) copies_[event.sequence] = event.copy;
  sink_->copy_issue(changed);
}

void FaultySink::copy_done(const CopyDoneEvent& event) {
  if (says_nothing()) return;
  const auto strikes = [&](CompareField field) { return trigger_.strikes(field, event.sequence); };
  if (strikes(CompareField::copy_done_missing)) return;
  if (trigger_.fault().field == CompareField::copy_bytes) return done_with_bad_bytes(event);
  sink_->copy_done(event);
  if (strikes(CompareField::copy_done_extra)) sink_->copy_done(event);
}

void FaultySink::write(const WriteEvent& event) {
  if (says_nothing()) return;
  const auto strikes = [&](CompareField field) { return trigger_.strikes(field, event); };
  if (strikes(CompareField::write_missing)) return;
  WriteEvent changed = event;
  if (strikes(CompareField::write_sequence)) changed.sequence += 1U << 20U;
  if (strikes(CompareField::write_extra)) sink_->write(event);
  if (strikes(CompareField::write_space)) changed.space = other_space(event.space);
  if (strikes(CompareField::write_index)) changed.index ^= 8;
  if (event.space == Space::vmem && strikes(CompareField::write_lanes)) changed.lanes[0] ^= 4;
  if (event.slot == Slot::sb && strikes(CompareField::csr_volatile)) {
    changed.volatile_csr = !event.volatile_csr;
  }
  // Golden adopts a volatile value, so only a comparison of times can find it wrong.
  const bool bad =
      event.volatile_csr ? strikes(CompareField::timing_csr) : strikes(CompareField::write_data);
  if (bad) return write_bad_data(event);
  sink_->write(changed);
}

void FaultySink::write_bad_data(const WriteEvent& event) {
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

void FaultySink::done_with_bad_bytes(const CopyDoneEvent& event) {
  const CopyIssue& copy = copies_[event.sequence];
  if (may_corrupt(copy) && trigger_.strikes(CompareField::copy_bytes, event.sequence)) {
    bad_copy_ = copy;
  }
  sink_->copy_done(event);
  bad_copy_.reset();
}

// It moves something, and to the memory that the fault requires.
bool FaultySink::may_corrupt(const CopyIssue& copy) const {
  bool moves = false;
  for_each_destination_run(copy,
                           [&moves](std::uint64_t, std::uint32_t) { return !(moves = true); });
  const std::optional<Space>& space = trigger_.fault().space;
  if (!moves || !space) return moves;
  const CopySpace wanted = *space == Space::vmem   ? CopySpace::vmem
                           : *space == Space::smem ? CopySpace::smem
                                                   : CopySpace::hbm;
  return wanted == copy_destination_space(copy);
}

// ---- when ----

void FaultyTimingSink::issued(const IssueTiming& event) {
  IssueTiming changed = event;
  if (trigger_.strikes(CompareField::timing_issue, event.sequence)) ++changed.cycle;
  next_ = event.sequence + 1;
  sink_->issued(changed);
}

void FaultyTimingSink::lost(const LostCycles& event) {
  LostCycles changed = event;
  if (trigger_.strikes(CompareField::timing_cause, next_)) changed.cause = other_cause(event.cause);
  sink_->lost(changed);
}

void FaultyTimingSink::copy_started(const CopyStart& event) {
  CopyStart changed = event;
  if (trigger_.strikes(CompareField::timing_copy_start, event.sequence)) ++changed.cycle;
  sink_->copy_started(changed);
}

void FaultyTimingSink::copy_done(const CopyDone& event) {
  CopyDone changed = event;
  if (trigger_.strikes(CompareField::timing_copy_done, event.sequence)) ++changed.cycle;
  sink_->copy_done(changed);
}

void FaultyTimingSink::beats(const MemoryBeats& event) {
  MemoryBeats changed = event;
  if (trigger_.strikes(CompareField::timing_beats, next_)) ++changed.count;
  sink_->beats(changed);
}

void FaultyTimingSink::marked(const MarkerTiming& event) {
  MarkerTiming changed = event;
  if (trigger_.strikes(CompareField::timing_marker, event.sequence)) {
    changed.counters.events.back() ^= 1;
  }
  sink_->marked(changed);
}

}  // namespace tandem
