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

SeedRunner::SeedRunner(const Configuration& configuration, const MachineFactory& make_rtl)
    : key_(configuration.key),
      lockstep_(*configuration.preset,
                with_fault(configuration.models.rtl ? make_rtl : MachineFactory(make_cycle_machine),
                           configuration.plant),
                configuration.models.rtl && configuration.models.cycle
                    ? MachineFactory(make_timed_machine)
                    : MachineFactory(),
                configuration.knobs, configuration.command()) {}

SeedRecord SeedRunner::run(std::uint64_t seed) {
  const auto begin = std::chrono::steady_clock::now();
  const RandomResult result = lockstep_.run(seed);
  SeedRecord record;
  record.key = key_;
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
    record.signature = result.signature;
    record.report = result.explanation;
  }
  return record;
}

}  // namespace tandem
