#include <fmt/format.h>

#include "cosim/lockstep/runners.hpp"
#include "cosim/verilated/rtl_machine.hpp"
#include "runtime/models/cycle_machine.hpp"

namespace tandem {
namespace {

std::unique_ptr<Machine> with_fault(std::unique_ptr<Machine> machine,
                                    const RunnerOptions& options) {
  if (!options.fault) return machine;
  return make_faulty_machine(std::move(machine), *options.fault, nullptr);
}

std::unique_ptr<Machine> rtl_for(const Launch& launch, const RunnerOptions& options) {
  return with_fault(require_rtl_machine(*launch.image->preset, options.machine), options);
}

std::unique_ptr<Runner> lockstep_runner(const Launch& launch, const RunnerOptions& options) {
  LockstepOptions settings;
  settings.detect_races = options.detect_races;
  settings.detect_uninitialised = options.detect_uninitialised;
  settings.silence = options.silence;
  settings.reader = options.reader;
  settings.timing = options.timing;
  settings.machine = options.machine;
  settings.command = options.command;
  settings.threads = options.threads;
  settings.wave = {options.mismatch_wave, make_rtl_machine};
  if (!options.models.rtl && !options.models.cycle) {
    throw LaunchError{"lockstep needs a machine besides golden: rtl, cycle or both"};
  }
  const Parameters& preset = *launch.image->preset;
  if (!options.models.rtl) {
    auto machine = make_cycle_machine(preset, options.machine);
    return make_lockstep_runner(launch, with_fault(std::move(machine), options), settings);
  }
  auto rtl = rtl_for(launch, options);
  if (!options.models.cycle) return make_lockstep_runner(launch, std::move(rtl), settings);
  return make_lockstep_runner(launch, std::move(rtl), make_timed_machine(preset, options.machine),
                              settings);
}

bool is_golden(std::string_view model) { return model == "golden"; }

}  // namespace

std::unique_ptr<Machine> require_rtl_machine(const Parameters& preset,
                                             const MachineOptions& options) {
  std::unique_ptr<Machine> machine = make_rtl_machine(preset, options);
  if (machine) return machine;
  std::string built;
  for (const std::string_view name : rtl_presets()) {
    built += fmt::format("{}{}", built.empty() ? "" : ", ", name);
  }
  throw LaunchError{fmt::format(
      "this build has no RTL of preset '{}' (it has: {}); configure with -DTANDEM_PRESETS={}",
      preset.name, built.empty() ? "none" : built, preset.name)};
}

std::unique_ptr<Runner> make_runner(std::string_view model, const Launch& launch,
                                    const RunnerOptions& options) {
  if (is_golden(model)) {
    return make_golden_runner(launch,
                              {options.detect_races, options.detect_uninitialised, options.reader});
  }
  if (model == "cycle") {
    return make_cycle_runner(launch, {options.detect_races, options.detect_uninitialised,
                                      options.reader, options.machine.memory, options.timing});
  }
  if (model == "rtl") {
    return make_rtl_runner(launch, rtl_for(launch, options),
                           {options.silence, options.reader, options.timing});
  }
  if (model != "lockstep") throw LaunchError{fmt::format("no model is called '{}'", model)};
  return lockstep_runner(launch, options);
}

}  // namespace tandem
