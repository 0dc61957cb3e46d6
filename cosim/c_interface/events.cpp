// The C interface: the events of a core.
#include <algorithm>

#include "cosim/c_interface/guard.hpp"
#include "cosim/foreign/part_words.hpp"
#include "cosim/foreign/timing_rules.hpp"

using namespace tandem;  // NOLINT(google-build-using-namespace): these functions are C's

namespace {

// A field of the C structures that is narrower here.
template <typename T>
T narrow(std::uint32_t value, const char* what) {
  if (static_cast<T>(value) != value) {
    throw BadEvent{std::string(what) + " " + std::to_string(value) + " is too large"};
  }
  return static_cast<T>(value);
}

bool flag(std::uint32_t value, const char* what) {
  if (value > 1) throw BadEvent{std::string(what) + " is 0 or 1"};
  return value == 1;
}

template <typename Enum>
Enum number(std::uint32_t value, const char* what) {
  return static_cast<Enum>(narrow<std::uint8_t>(value, what));
}

Trap trap_of(std::uint32_t cause, std::uint32_t slot, std::uint32_t detail) {
  return {number<TrapCause>(cause, "trap_cause"), number<Slot>(slot, "trap_slot"), detail};
}

IssueEvent issue_of(const tandem_issue& event) {
  IssueEvent result;
  result.sequence = event.sequence;
  result.pc = event.pc;
  result.next_pc = event.next_pc;
  std::copy(std::begin(event.bundle), std::end(event.bundle), result.bundle.begin());
  result.enabled = narrow<std::uint16_t>(event.enabled, "enabled");
  result.halted = flag(event.halted, "halted");
  result.trap = trap_of(event.trap_cause, event.trap_slot, event.trap_detail);
  return result;
}

WriteEvent write_of(const tandem_write& event) {
  WriteEvent result;
  result.sequence = event.sequence;
  result.slot = number<Slot>(event.slot, "slot");
  result.space = number<Space>(event.space, "space");
  result.row = narrow<std::uint8_t>(event.row, "row");
  result.index = event.index;
  std::copy(std::begin(event.lanes), std::end(event.lanes), result.lanes.begin());
  result.data = event.words;
  result.volatile_csr = flag(event.is_volatile, "is_volatile");
  return result;
}

TimingEvent timing_of(const tandem_timing& event) {
  TimingEvent result;
  result.kind = number<TimingKind>(event.kind, "kind");
  result.cause = number<StallCause>(event.cause, "cause");
  result.path = number<MemoryPath>(event.path, "path");
  result.code = event.code;
  result.cycle = event.cycle;
  result.count = event.count;
  result.sequence = event.sequence;
  result.pc = event.pc;
  result.next_pc = event.next_pc;
  result.enabled = narrow<std::uint16_t>(event.enabled, "enabled");
  result.halted = flag(event.halted, "halted");
  result.trap = trap_of(event.trap_cause, event.trap_slot, event.trap_detail);
  if (result.kind == TimingKind::marker) {
    refuse_null(event.counters, "counters");
    result.counters = counters_of({event.counters, counter_word_count});
  }
  return result;
}

}  // namespace

tandem_result tandem_checker_cycle(tandem_checker* checker, std::uint64_t cycle) {
  return told(checker, [&](CoreCheck& check) { check.set_cycle(cycle); });
}

tandem_result tandem_checker_issue(tandem_checker* checker, const tandem_issue* event) {
  return told(checker, [&](CoreCheck& check) {
    refuse_null(event, "event");
    check.issue(issue_of(*event));
  });
}

tandem_result tandem_checker_write(tandem_checker* checker, const tandem_write* event) {
  return told(checker, [&](CoreCheck& check) {
    refuse_null(event, "event");
    refuse_null(event->words, "words");
    check.write(write_of(*event), event->word_count);
  });
}

tandem_result tandem_checker_copy_issue(tandem_checker* checker, const tandem_copy* event) {
  return told(checker, [&](CoreCheck& check) {
    refuse_null(event, "event");
    CopyIssueEvent copy;
    copy.sequence = event->sequence;
    std::copy(std::begin(event->descriptor), std::end(event->descriptor),
              copy.copy.descriptor.begin());
    copy.copy.source = event->source;
    copy.copy.destination = event->destination;
    check.copy_issue(copy);
  });
}

tandem_result tandem_checker_copy_done(tandem_checker* checker, std::uint32_t sequence,
                                       const std::uint32_t* words, std::size_t count) {
  return told(checker, [&](CoreCheck& check) {
    if (count != 0) refuse_null(words, "words");
    check.copy_done({sequence, {words, count}});
  });
}

tandem_result tandem_checker_timing(tandem_checker* checker, const tandem_timing* event) {
  return told(checker, [&](CoreCheck& check) {
    refuse_null(event, "event");
    check.time(timing_of(*event));
  });
}
