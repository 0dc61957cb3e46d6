// The tracks of copies, and the flows from a copy to the wait for it and on to its first use.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "isa/golden/copy.hpp"
#include "isa/parameters.hpp"
#include "sim/timing_events.hpp"
#include "sim/trace_sequence.hpp"

namespace tandem::trace {

// The fields of a descriptor; addresses without the offsets of the instruction.
golden::Copy parsed_copy(const CopyIssue& issue);

// Events must come in order of cycle, done() before what issues in later cycles.
class Copies {
 public:
  Copies(Program& program, std::string& out)
      : program_(program), sequence_(copy_sequence, program, out) {}

  // `pc` is that of its bundle.
  void started(std::string& out, const CopyStart& event, std::uint32_t pc);
  void done(std::string& out, const CopyDone& event);

  // Flows of the copies that add to this flag and are done, each for the first wait after that.
  std::vector<std::uint64_t> waited(std::uint32_t flag);
  // Flows of the copies into this memory that were waited for, each for the first reader of that
  // memory after that.
  std::vector<std::uint64_t> used(golden::MemorySpace space);

  [[nodiscard]] std::uint64_t events() const { return events_; }

 private:
  struct Flight {
    std::uint64_t track = 0;
    std::uint64_t flow = 0;
    std::uint32_t flag = 0;
    golden::MemorySpace destination{};
  };
  struct Done {
    std::uint64_t flow = 0;
    golden::MemorySpace destination{};
  };

  std::uint64_t free_track(std::string& out);

  Program& program_;
  Sequence sequence_;
  std::map<std::uint64_t, Flight> flights_;  // by sequence number
  std::vector<bool> busy_tracks_;
  std::array<std::vector<Done>, sync_flags> done_;      // by flag
  std::array<std::vector<std::uint64_t>, 3> waited_{};  // by memory
  std::uint64_t events_ = 0;
};

}  // namespace tandem::trace
