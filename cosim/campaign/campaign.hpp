// A campaign: many random programs in lockstep, on some presets with some sets of knobs, described
// by a TOML file. The work follows from the file alone, so that any process can work on any part of
// it; docs/campaigns.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cosim/campaign/plan.hpp"
#include "cosim/random/knobs.hpp"
#include "isa/parameters.hpp"
#include "runtime/device/device_model.hpp"

namespace tandem {

// One preset with one set of knobs, over all seeds.
struct Configuration {
  const Parameters* preset = nullptr;
  runtime::LockstepModels models;
  std::string knobs_name;
  KnobChoices knobs;
  std::string file;   // the campaign's
  std::string plant;  // a fault (cosim/faults): shows that failures are found
  // The key of results: preset, models, knobs and plant, regardless of names.
  std::string key;

  // "nano/dense"
  [[nodiscard]] std::string title() const;
  // The command that runs one seed alone.
  [[nodiscard]] std::string repeat(std::uint64_t seed) const;
};

struct Campaign {
  std::string name;
  std::uint64_t first_seed = 1;
  std::uint64_t seeds = 100;    // of each configuration
  std::uint64_t pack = 25;      // number of seeds that a worker takes at a time
  std::uint64_t timeout = 600;  // seconds for one seed before it counts as hanging
  std::vector<Configuration> configurations;
};

// Throws runtime::Error, which names file and line.
Campaign parse_campaign(const std::string& text, const std::string& file);

// All work, in the order in which it is distributed: every configuration gets its first seeds
// before any gets its second ones.
std::vector<Unit> campaign_units(const Campaign& campaign);

}  // namespace tandem
