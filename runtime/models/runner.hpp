// A launch in execution, on any model: driven by the command line and host tools.
//
//   std::unique_ptr<Runner> runner = make_golden_runner(launch, {});
//   while (runner->advance(100'000) == Outcome::running) look_at(runner->hbm());
//
// Between calls to advance() HBM may be read (with everything that the program has written so far),
// so a host tool can show results while they appear.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/golden/golden_model.hpp"
#include "isa/golden/unwritten_outputs.hpp"
#include "isa/launch/launch.hpp"
#include "isa/state/retire.hpp"
#include "runtime/models/machine.hpp"
#include "sim/time/cycle_model.hpp"

namespace tandem {

enum class Outcome : std::uint8_t {
  running,
  halted,
  trapped,        // see trap(), pc()
  race,           // golden found a race: see finding()
  uninitialised,  // golden found a use of never-written data: see finding()
  lifetime,       // golden found a buffer read where another one was written: see finding()
  mismatch,       // lockstep only: see explanation()
  no_retirement,  // the RTL stopped retiring bundles: see explanation()
  machine_check,  // the RTL reports a bus error
  deadlock,       // of a group of chips: none can continue (runtime/group/group.hpp)
};

std::string_view outcome_name(Outcome outcome);
// Of a model with golden's semantics; `finding` is set if one was reported.
Outcome run_outcome(RunStatus status, const std::optional<Finding>& finding);

// Called with each bundle once it is complete, in program order.
using RecordReader = std::function<void(const RetireRecord&)>;

class Runner {
 public:
  virtual ~Runner() = default;
  // Continues for at most this many steps: bundles on the golden model, cycles elsewhere. Once the
  // outcome is not `running`, further calls return it again.
  virtual Outcome advance(std::uint64_t steps) = 0;

  [[nodiscard]] virtual std::uint64_t bundles() const = 0;
  // 0 on a model without time.
  [[nodiscard]] virtual std::uint64_t cycles() const = 0;
  [[nodiscard]] virtual Trap trap() const = 0;
  // Of the trapping bundle after a trap, else of the next one as far as known.
  [[nodiscard]] virtual std::uint32_t pc() const = 0;
  [[nodiscard]] virtual std::optional<Finding> finding() const = 0;
  [[nodiscard]] virtual const SparseMemory& hbm() const = 0;
  // More about a trap, for people: the value that a wait wanted and that of its flag. Or "".
  [[nodiscard]] virtual std::string trap_note() const { return {}; }
  // After a halt: outputs with elements that were never written. Empty on the RTL alone, which does
  // not know.
  [[nodiscard]] virtual std::vector<UnwrittenOutput> unwritten() const { return {}; }
  // For outcomes that need a long text: the mismatch report, the deadlock report. Else empty.
  [[nodiscard]] virtual std::string explanation() const = 0;
  [[nodiscard]] virtual std::string explanation_json() const = 0;
  // Lockstep: how many values were taken from the compared machine, and how many events were
  // compared.
  [[nodiscard]] virtual std::uint64_t volatile_reads() const { return 0; }
  // The name of that machine, for people.
  [[nodiscard]] virtual std::string_view compared() const { return "the RTL"; }
  [[nodiscard]] virtual std::uint64_t events() const { return 0; }
  // A host register by number (isa/registers/registers.def), counters for instance; absent without
  // a machine.
  [[nodiscard]] virtual std::optional<std::uint32_t> host_register(std::uint32_t) const {
    return std::nullopt;
  }
  // The performance counters now: sums over the cycles() so far. Absent on a model without time,
  // and in lockstep after a mismatch that the machine has run past.
  [[nodiscard]] virtual std::optional<CounterValues> counters() const { return std::nullopt; }

  // The models and the comparison, between two calls of advance() while the outcome is `running`
  // (isa/archive/archive.hpp; runtime/snapshot/snapshot.hpp for files). Restoring requires a runner
  // that was created in the same way and has not advanced; readers get no earlier events. Both
  // throw SnapshotError; a runner that could not be restored is unusable.
  virtual void save_to(ArchiveWriter& archive) = 0;
  virtual void restore_from(ArchiveReader& archive) = 0;
};

struct GoldenRunOptions {
  bool detect_races = true;
  bool detect_uninitialised = true;
  RecordReader reader;  // empty: no records are made, full speed
};

// make_*_runner() powers up a model of its own; start_*() starts one that is powered up and has no
// other run, for the first time or again. The launch must outlive the runner.
std::unique_ptr<Runner> make_golden_runner(const Launch& launch, const GoldenRunOptions& options);
std::unique_ptr<Runner> start_golden(const Launch& launch, std::shared_ptr<GoldenModel> model,
                                     RecordReader reader);

struct CycleRunOptions {
  bool detect_races = true;
  bool detect_uninitialised = true;
  RecordReader reader;  // empty: no records are made
  MemoryTimingParameters memory;
  TimingSink* timing = nullptr;  // gets the model's timing events
};

std::unique_ptr<Runner> make_cycle_runner(const Launch& launch, const CycleRunOptions& options);
// `timing` as in CycleRunOptions.
std::unique_ptr<Runner> start_cycle(const Launch& launch, std::shared_ptr<CycleModel> model,
                                    RecordReader reader, TimingSink* timing);

// Cycles without a bundle, an event or a beat of memory after which a machine counts as dead. The
// longest legitimate silence is a copy within VMEM, word by word.
inline constexpr std::uint64_t default_silence = 1'000'000;

struct RtlRunOptions {
  std::uint64_t silence = default_silence;
  RecordReader reader;           // empty: no records are made
  TimingSink* timing = nullptr;  // gets the machine's timing events
};

std::unique_ptr<Runner> make_rtl_runner(const Launch& launch, std::unique_ptr<Machine> machine,
                                        const RtlRunOptions& options);
std::unique_ptr<Runner> start_rtl(const Launch& launch, std::shared_ptr<Machine> machine,
                                  const RtlRunOptions& options);

}  // namespace tandem
