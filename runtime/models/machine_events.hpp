// The events of a machine's retirement port, one at a time. Pointers are valid during the call
// only. Sequence numbers are the low 32 bits of RetireRecord::sequence.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "isa/state/retire.hpp"

namespace tandem {

struct IssueEvent {
  std::uint32_t sequence = 0;
  std::uint32_t pc = 0;
  std::uint32_t next_pc = 0;
  std::array<std::uint32_t, bundle_words> bundle{};
  std::uint16_t enabled = 0;
  bool halted = false;
  Trap trap{};
};

// One write of one bundle, in the terms of isa/state/retire.hpp: `index`, `row` and the number of
// data words follow from the space.
struct WriteEvent {
  std::uint32_t sequence = 0;
  Slot slot{};
  Space space = Space::none;
  std::uint8_t row = 0;
  std::uint32_t index = 0;
  std::array<std::uint32_t, 4> lanes{~0U, ~0U, ~0U, ~0U};  // vmem only
  const std::uint32_t* data = nullptr;
  bool volatile_csr = false;  // the value depends on time: golden takes it over
};

struct CopyIssueEvent {
  std::uint32_t sequence = 0;
  CopyIssue copy{};
};

// All bytes of the copy are in place and its flag has been added to.
struct CopyDoneEvent {
  std::uint32_t sequence = 0;
  // The data that the copy wrote, as it was in memory then, run by run. Machines leave it empty;
  // with it, a later reader need not ask the machine.
  std::span<const std::uint32_t> words{};
};

// A reader of events. Within one cycle completions of copies come first, then the issue, then the
// rest: anything that a completion allows the program to do happens in later cycles.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void copy_done(const CopyDoneEvent& event) = 0;
  virtual void issue(const IssueEvent& event) = 0;
  virtual void copy_issue(const CopyIssueEvent& event) = 0;
  virtual void write(const WriteEvent& event) = 0;
};

}  // namespace tandem
