// One debugging session: moves forwards and backwards, and why each ended.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/debug/breakpoints.hpp"
#include "cli/debug/language/evaluate.hpp"
#include "cli/debug/monitor.hpp"
#include "cli/debug/source_map.hpp"
#include "cli/debug/timeline.hpp"
#include "isa/analysis/effects.hpp"

namespace tandem::debug {

enum class StopReason : std::uint8_t {
  done,         // the move was completed
  breakpoint,   // see `breakpoint`
  beginning,    // the beginning was reached
  end,          // halt, trap or finding: the program cannot continue
  interrupted,  // Ctrl-C
};
std::string_view stop_reason_name(StopReason reason);

// A watched element that the last bundle wrote.
struct Change {
  std::string place;  // "v3[0][5]"
  std::string before;
  std::string after;
};

struct Stop {
  StopReason reason = StopReason::done;
  std::optional<Breakpoint> breakpoint;  // as it was when it stopped the program
  std::string problem;                   // its condition has no value
  std::vector<Change> changes;           // at most `most_changes`
  bool more_changes = false;
};
inline constexpr std::size_t most_changes = 8;

class Session {
 public:
  Session(std::unique_ptr<Target> target, std::vector<std::string> folders,
          TimelineOptions options = {});

  // Forwards and backwards by bundles.
  Stop step(std::uint64_t count);
  Stop reverse_step(std::uint64_t count);
  // By source lines; with `over`, a call or a macro counts as one line.
  Stop step_line(bool over);
  Stop reverse_step_line(bool over);
  // To the next or last breakpoint, or to `until`.
  Stop run(const Until* until = nullptr);
  Stop reverse_run(const Until* until = nullptr);
  // Out of the function: after the `ret` that ends it.
  Stop finish();
  // Anywhere, past all breakpoints.
  Stop move_to(std::uint64_t bundle);
  // To the first position whose cycle is this one or later. Throws UserError on a model without
  // time.
  Stop move_to_cycle(std::uint64_t cycle);

  [[nodiscard]] const Launch& launch() const { return launch_; }
  [[nodiscard]] const SourceMap& source() const { return source_; }
  [[nodiscard]] Breakpoints& breakpoints() { return breakpoints_; }
  [[nodiscard]] const Timeline& timeline() const { return timeline_; }
  [[nodiscard]] const Target& target() const { return timeline_.target(); }
  [[nodiscard]] const GoldenModel& golden() const { return target().golden(); }
  [[nodiscard]] Moments now() const { return {target(), timeline_.position()}; }
  [[nodiscard]] Interrupt& interrupt() { return interrupt_; }

  // The records of the last bundles, oldest first; the position does not change.
  std::vector<RetireRecord> history(std::uint64_t count);

 private:
  struct Found {
    std::uint64_t position = 0;
    Hit hit;
  };

  [[nodiscard]] Stop end_or_done() const;
  Stop stop_at(const Hit& hit);
  Stop backwards(std::uint64_t limit, const Until* until);
  std::optional<Found> last_hit(std::uint64_t after, std::uint64_t last, const Until* until,
                                bool& interrupted);
  void add_changes(Stop& stop);
  [[nodiscard]] std::vector<std::uint64_t> written_elements(const RetireRecord& record,
                                                            const Breakpoint& watch) const;
  [[nodiscard]] bool executes(Control control) const;
  Stop step_over_call();
  [[nodiscard]] SourceLine line_here(bool over) const;
  void to_start_of_line(bool over);

  const Launch& launch_;
  SourceMap source_;
  Breakpoints breakpoints_;
  Timeline timeline_;
  Interrupt interrupt_{false};
  Monitor monitor_;
};

}  // namespace tandem::debug
