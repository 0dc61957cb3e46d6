#include "cosim/campaign/run_seed.hpp"

#include <chrono>

#include "cosim/faults/fault.hpp"
#include "runtime/models/cycle_machine.hpp"

namespace tandem {
namespace {

MachineFactory with_fault(MachineFactory make, const std::string& plant) {
  if (plant.empty()) return make;
  return [make = std::move(make), fault = parse_fault(plant)](const Parameters& parameters,
                                                              const MachineOptions& options) {
    return make_faulty_machine(make(parameters, options), fault, nullptr);
  };
}

}  // namespace

SeedRecord run_seed(const Configuration& configuration, std::uint64_t seed,
                    const MachineFactory& make_rtl) {
  const runtime::LockstepModels& models = configuration.models;
  const auto begin = std::chrono::steady_clock::now();
  const RandomResult result = run_random_program(
      *configuration.preset, seed, knobs_for(seed, configuration.knobs), configuration.repeat(seed),
      with_fault(models.rtl ? make_rtl : MachineFactory(make_cycle_machine), configuration.plant),
      models.rtl && models.cycle ? MachineFactory(make_timed_machine) : MachineFactory());
  SeedRecord record;
  record.key = configuration.key;
  record.seed = seed;
  record.outcome = outcome_name(result.outcome);
  record.passed = result.passed();
  record.bundles = result.bundles;
  record.cycles = result.cycles;
  record.microseconds =
      static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(
                                     std::chrono::steady_clock::now() - begin)
                                     .count());
  if (!record.passed) {
    record.signature = failure_signature(record.outcome, result.explanation_json);
    record.report = result.explanation;
  }
  return record;
}

}  // namespace tandem
