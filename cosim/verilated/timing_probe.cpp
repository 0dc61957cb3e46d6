#include "cosim/verilated/timing_probe.hpp"

#include <algorithm>

#include "isa/encoding.hpp"
#include "runtime/models/machine.hpp"

namespace tandem {
namespace {

// The code of an enabled marker.
std::optional<std::uint32_t> marker_code(const IssueEvent& event) {
  if (event.trap || ((event.enabled >> static_cast<unsigned>(Slot::sa)) & 1U) == 0) {
    return std::nullopt;
  }
  const SlotBits bits = slot_bits(event.bundle, Slot::sa);
  if (get_field(bits, opcode_field) != instruction(Op::marker).opcode) return std::nullopt;
  return static_cast<std::uint32_t>(decode(Slot::sa, bits)->operands[0].value);
}

}  // namespace

// Of a bundle in flight, so less than 2^32 before the newest.
std::uint64_t TimingProbe::widened(std::uint32_t sequence) const {
  return bundles_ - (static_cast<std::uint32_t>(bundles_) - sequence);
}

void TimingProbe::issued(std::uint64_t cycle, const IssueEvent& event) {
  const IssueTiming issue{cycle,         widened(event.sequence), event.pc,
                          event.next_pc, event.enabled,           event.halted,
                          event.trap};
  ++bundles_;
  sink_->issued(issue);
  give_marker(issue, event);
}

void TimingProbe::give_marker(const IssueTiming& issue, const IssueEvent& event) {
  const std::optional<std::uint32_t> code = marker_code(event);
  if (!code) return;
  sink_->marked({issue.cycle, issue.sequence, issue.pc, *code, machine_->counters()});
}

void TimingProbe::copy_started(std::uint64_t cycle, const CopyIssueEvent& event) {
  sink_->copy_started({cycle, widened(event.sequence), event.copy});
}

void TimingProbe::copy_done(std::uint64_t cycle, std::uint32_t sequence) {
  sink_->copy_done({cycle, widened(sequence)});
}

void TimingProbe::beat(std::uint64_t cycle, MemoryPath path) {
  MemoryBeats& run = beats_[static_cast<std::size_t>(path)];
  if (run.count != 0 && run.first + run.count == cycle) {
    ++run.count;
    return;
  }
  close_beats(run);
  run = {cycle, 1, path};
}

void TimingProbe::close_lost() {
  if (lost_.count != 0) sink_->lost(lost_);
  lost_.count = 0;
}

void TimingProbe::close_beats(MemoryBeats& run) {
  if (run.count != 0) sink_->beats(run);
  run.count = 0;
}

void TimingProbe::progress(std::uint64_t cycle) {
  std::uint64_t complete = cycle;
  if (lost_.count != 0) complete = std::min(complete, lost_.first);
  for (MemoryBeats& run : beats_) {
    if (run.first + run.count <= cycle) close_beats(run);  // it has ended
    if (run.count != 0) complete = std::min(complete, run.first);
  }
  sink_->progress(complete);
}

void TimingProbe::ended(std::uint64_t cycles) {
  if (ended_) return;
  ended_ = true;
  close_lost();
  for (MemoryBeats& run : beats_) close_beats(run);
  sink_->progress(cycles);
  sink_->ended(cycles);
}

}  // namespace tandem
