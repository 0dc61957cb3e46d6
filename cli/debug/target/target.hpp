// The program under the debugger, on any model: forwards bundle by bundle, and to any saved moment.
// Everything above works on positions and does not know which model it is.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isa/golden/copy.hpp"
#include "isa/golden/golden_model.hpp"
#include "isa/launch/launch.hpp"
#include "isa/state/retire.hpp"
#include "runtime/device/named_launch.hpp"
#include "sim/events/timing_events.hpp"

namespace tandem::debug {

// The state of the cycle model besides golden's state.
struct Timing;
std::uint64_t timing_bytes(const Timing& timing);

// A moment that can be restored.
struct Moment {
  std::shared_ptr<const golden::Snapshot> golden;
  std::shared_ptr<const Timing> timing;  // nullptr on golden
};
// Host memory in bytes that a moment takes in addition to another one of the same run.
std::uint64_t bytes_beyond(const Moment& moment, const Moment& other);

// When a bundle issued, and what delayed it.
struct IssueTime {
  IssueTiming issue;
  std::vector<LostCycles> lost;
};

// A copy that is not known to be complete.
struct OpenCopy {
  std::uint32_t pc = 0;                // the bundle that started it
  std::optional<std::uint64_t> cycle;  // in which that issued; absent on golden
  std::uint32_t flag = 0;
  std::uint32_t amount = 0;
  std::string source;  // "HBM 0x10000..0x103ff"
  std::string destination;
};

class Target {
 public:
  virtual ~Target() = default;
  [[nodiscard]] virtual const Launch& launch() const = 0;

  // As GoldenModel's; a model with time also waits, after the last bundle, for everything in
  // flight.
  virtual RunStatus step(RetireRecord* record) = 0;
  virtual RunStatus run_to(std::uint64_t limit, std::span<const std::uint8_t> stops) = 0;
  // Parts equal to the earlier moment, if there is one, are shared with it.
  [[nodiscard]] virtual Moment save(const Moment* earlier) = 0;
  virtual void restore(const Moment& moment) = 0;

  [[nodiscard]] virtual const GoldenModel& golden() const = 0;
  [[nodiscard]] virtual RunStatus status() const = 0;

  // The cycle at whose beginning the machine is; absent on a model without time.
  [[nodiscard]] virtual std::optional<std::uint64_t> cycle() const = 0;
  // The last bundles, oldest first, as far as they are remembered; empty without time.
  [[nodiscard]] virtual std::vector<IssueTime> last_issues() const = 0;
  // In flight at cycle(); on golden, not yet proved complete by a wait.
  [[nodiscard]] virtual std::vector<OpenCopy> open_copies() const = 0;
};

// Starts the job, whose device is of model golden or cycle.
std::unique_ptr<Target> make_target(std::unique_ptr<runtime::NamedLaunch> job);
std::unique_ptr<Target> make_golden_target(std::unique_ptr<runtime::NamedLaunch> job);
std::unique_ptr<Target> make_cycle_target(std::unique_ptr<runtime::NamedLaunch> job);

// "HBM 0x10000..0x103ff"; the end is the first byte after it.
std::string memory_range_text(golden::MemorySpace space, std::uint64_t begin, std::uint64_t end);

}  // namespace tandem::debug
