// The tracks of copies.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/events/timing_events.hpp"
#include "sim/trace/trace_sequence.hpp"

namespace tandem::trace {

// The id of the flow that leaves a copy.
constexpr std::uint64_t flow_of(std::uint64_t sequence) { return sequence + 1; }

// Events must come in order of cycle.
class Copies {
 public:
  Copies(Program& program, std::string& out)
      : program_(program), sequence_(copy_sequence, program, out) {}

  // `pc` is that of its bundle.
  void started(std::string& out, const CopyStart& event, std::uint32_t pc);
  void done(std::string& out, const CopyDone& event);

  [[nodiscard]] std::uint64_t events() const { return events_; }

 private:
  std::uint64_t free_track(std::string& out);

  Program& program_;
  Sequence sequence_;
  std::map<std::uint64_t, std::uint64_t> tracks_;  // of copies in flight, by sequence number
  std::vector<bool> busy_tracks_;
  std::uint64_t events_ = 0;
};

}  // namespace tandem::trace
