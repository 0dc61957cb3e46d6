#include "cosim/campaign/run_seed.hpp"

#include <chrono>
#include <memory>

#include "cosim/session/model_list.hpp"

namespace tandem {
namespace {

RandomLockstep lockstep_of(const Configuration& configuration, const MachineFactory& make_rtl) {
  const MachineFactories factories =
      machine_factories(configuration.models, make_rtl, configuration.plant);
  return {*configuration.preset, factories.machine, factories.cycle_exact, configuration.knobs,
          random_command(configuration.models, configuration.plant)};
}

}  // namespace

SeedRunner::SeedRunner(const Configuration& configuration, const MachineFactory& make_rtl)
    : key_(configuration.key), lockstep_(lockstep_of(configuration, make_rtl)) {}

SeedRecord SeedRunner::run(std::uint64_t seed, std::string* report_json) {
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
    if (report_json != nullptr) *report_json = result.explanation_json;
  }
  return record;
}

Plan campaign_plan(const Campaign& campaign, const MachineFactory& make_rtl) {
  Plan plan;
  plan.name = campaign.name;
  plan.timeout = campaign.timeout;
  plan.units = campaign_units(campaign);
  for (const Configuration& each : campaign.configurations) plan.keys.push_back(each.key);
  plan.begin = [&campaign, make_rtl](std::size_t configuration) {
    const auto runner =
        std::make_shared<SeedRunner>(campaign.configurations[configuration], make_rtl);
    return [runner](std::uint64_t seed) { return runner->run(seed); };
  };
  return plan;
}

}  // namespace tandem
