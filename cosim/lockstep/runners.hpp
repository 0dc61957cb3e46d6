// Runners of every model by name, and of lockstep: what command lines and tests make.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cosim/faults/fault.hpp"
#include "cosim/verilated/rtl_machine.hpp"
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
};

// Runs the machine with golden beside it; the outcome is golden's verdict when nothing differs.
std::unique_ptr<Runner> make_lockstep_runner(const Launch& launch, std::unique_ptr<Machine> machine,
                                             const LockstepOptions& options);

// The same with the cycle-exact model: its times must be those of the machine, its values golden's.
// `cycle_exact` may be nullptr.
std::unique_ptr<Runner> make_lockstep_runner(const Launch& launch, std::unique_ptr<Machine> machine,
                                             std::unique_ptr<Machine> cycle_exact,
                                             const LockstepOptions& options);

// make_rtl_machine(), but throws LaunchError when this build has no RTL of the preset.
std::unique_ptr<Machine> require_rtl_machine(const Parameters& preset,
                                             const MachineOptions& options);

// Which machines a lockstep run holds against golden, and against each other in time: at least one.
struct LockstepModels {
  bool rtl = true;
  bool cycle = true;
};

// The same by name, for command lines and tests: "golden", "cycle", "rtl" or "lockstep".
struct RunnerOptions {
  bool detect_races = true;
  bool detect_uninitialised = true;
  std::uint64_t silence = default_silence;
  RecordReader reader;
  TimingSink* timing = nullptr;  // models that know time
  MachineOptions machine;
  std::string command;
  std::optional<Fault> fault;  // planted into the events of the RTL, or of the only machine
  LockstepModels models;
};
// Throws LaunchError when there is no such model, or this build has no RTL of the preset.
std::unique_ptr<Runner> make_runner(std::string_view model, const Launch& launch,
                                    const RunnerOptions& options);
// What the model's steps count: "bundles" or "cycles".
const char* step_unit(std::string_view model);
// Steps to do between looks at the clock, about a tenth of a second.
std::uint64_t step_slice(std::string_view model);
// When to give up on a program, if nobody says otherwise.
std::uint64_t default_limit(std::string_view model);
// When to give up: as asked, or 0 for the default.
std::uint64_t step_limit(std::uint64_t asked, std::string_view model);

}  // namespace tandem
