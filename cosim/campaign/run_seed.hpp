// The seeds of a campaign's configuration, one after the other, on machines that are built once.
#pragma once

#include "cosim/campaign/campaign.hpp"
#include "cosim/campaign/record.hpp"
#include "cosim/session/random_session.hpp"

namespace tandem {

class SeedRunner {
 public:
  // `make_rtl` makes the RTL of a preset; not called if the configuration has none.
  SeedRunner(const Configuration& configuration, const MachineFactory& make_rtl);

  // The record's build is left to the caller. `report_json` (may be nullptr) gets the report, if
  // any.
  SeedRecord run(std::uint64_t seed, std::string* report_json = nullptr);
  // As RandomLockstep's.
  void set_wave(const MismatchWaveOptions& wave) { lockstep_.set_wave(wave); }

 private:
  std::string key_;
  RandomLockstep lockstep_;
};

// The campaign as work for many processes.
Plan campaign_plan(const Campaign& campaign, const MachineFactory& make_rtl);

}  // namespace tandem
