// Runners of lockstep, and for tests those of every model by name.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cosim/checker/core_terms.hpp"
#include "cosim/faults/fault.hpp"
#include "cosim/lockstep/mismatch_wave.hpp"
#include "cosim/verilated/rtl_machine.hpp"
#include "runtime/device/device_model.hpp"
#include "runtime/models/runner.hpp"

namespace tandem {

struct LockstepOptions {
  bool detect_races = true;
  bool detect_uninitialised = true;
  std::uint64_t silence = default_silence;
  RecordReader reader;           // gets golden's records
  TimingSink* timing = nullptr;  // gets the machine's timing events
  MachineOptions machine;        // for the report
  std::string command;           // for the report: repeats this run
  // 2: the models follow the machine in their own thread, in which `reader` and `timing` are then
  // called, while advance() runs. The findings are the same.
  std::uint32_t threads = 1;
  // Cycles between checks for differences; TimingHistory covers these and those of patience.
  std::uint64_t slice_cycles = 1024;
  // Words of values that are kept within a slice before they are read; 0: as many as useful.
  std::size_t kept_words = 0;
  CoreTerms* terms = nullptr;  // CheckerOptions::terms
  MismatchWaveOptions wave;    // with a path: a mismatch of the RTL leaves a waveform
};

// The models of a lockstep run: they may be started again and again.
struct LockstepParts {
  std::shared_ptr<GoldenModel> golden;
  std::shared_ptr<Machine> machine;
  std::shared_ptr<Machine> cycle_exact;  // may be nullptr

  // Makes golden and powers up the machines.
  void power_up(std::uint64_t hbm_bytes, std::uint32_t seed, bool detect_races,
                bool detect_uninitialised);
};

// Starts all of them, which are powered up and have no other run.
std::unique_ptr<Runner> start_lockstep(const Launch& launch, const LockstepParts& parts,
                                       const LockstepOptions& options);

// Runs the machine together with golden; the outcome is golden's verdict if nothing differs.
std::unique_ptr<Runner> make_lockstep_runner(const Launch& launch, std::unique_ptr<Machine> machine,
                                             const LockstepOptions& options);

// The same with the cycle-exact model: its times must be those of the machine, its values golden's.
// `cycle_exact` may be nullptr.
std::unique_ptr<Runner> make_lockstep_runner(const Launch& launch, std::unique_ptr<Machine> machine,
                                             std::unique_ptr<Machine> cycle_exact,
                                             const LockstepOptions& options);

// make_rtl_machine(), but throws LaunchError if this build has no RTL for the preset.
std::unique_ptr<Machine> require_rtl_machine(const Parameters& preset,
                                             const MachineOptions& options);

// The same by name, for tests: "golden", "cycle", "rtl" or "lockstep".
struct RunnerOptions {
  bool detect_races = true;
  bool detect_uninitialised = true;
  std::uint64_t silence = default_silence;
  RecordReader reader;
  TimingSink* timing = nullptr;  // models that know time
  MachineOptions machine;
  std::string command;
  std::uint32_t threads = 1;   // of lockstep
  std::optional<Fault> fault;  // planted into the events of the RTL, or of the only machine
  std::string mismatch_wave;   // lockstep: file of the waveform before a mismatch; "": none
  runtime::LockstepModels models;
};
// Throws LaunchError if there is no such model, or this build has no RTL for the preset.
std::unique_ptr<Runner> make_runner(std::string_view model, const Launch& launch,
                                    const RunnerOptions& options);

}  // namespace tandem
