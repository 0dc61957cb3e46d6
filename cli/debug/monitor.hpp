// Runs the program forwards and decides where it should stop.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/debug/breakpoints.hpp"
#include "cli/debug/language/evaluate.hpp"
#include "cli/debug/timeline.hpp"

namespace tandem::debug {

// Set by a signal handler: a run ends soon after.
using Interrupt = std::atomic<bool>;

// Where a command itself wants to stop, in addition to the breakpoints.
struct Until {
  std::vector<std::uint32_t> pcs;
  std::optional<std::uint32_t> stack;  // only with this value in s2
};

struct Hit {
  int breakpoint = 0;  // 0: the Until of the command, or interrupted
  bool interrupted = false;
  std::string problem;  // the condition has no value
};

class Monitor {
 public:
  Monitor(Timeline& timeline, const Breakpoints& breakpoints, const Interrupt& interrupt)
      : timeline_(timeline), breakpoints_(breakpoints), interrupt_(interrupt) {}

  // Runs to the next place to stop, at most to position `limit`; nothing if it got there, or to the
  // end, without a reason to stop. A breakpoint at the current position does not count.
  std::optional<Hit> advance(std::uint64_t limit, const Until* until = nullptr);

 private:
  [[nodiscard]] Moments now() const { return {timeline_.target(), timeline_.position()}; }
  std::optional<Hit> before_bundle(const Until* until) const;
  std::optional<Hit> after_bundle();
  void remember_conditions();
  [[nodiscard]] bool condition_holds(const Breakpoint& breakpoint, std::string& problem) const;
  [[nodiscard]] bool wrote(const Places& places) const;

  Timeline& timeline_;
  const Breakpoints& breakpoints_;
  const Interrupt& interrupt_;
  RetireRecord record_;
  std::map<int, bool> were_true_;  // conditions without a place, by number
};

}  // namespace tandem::debug
