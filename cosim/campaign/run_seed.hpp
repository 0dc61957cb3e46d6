// One seed of a campaign.
#pragma once

#include "cosim/campaign/campaign.hpp"
#include "cosim/campaign/record.hpp"
#include "cosim/random/lockstep.hpp"

namespace tandem {

// `make_rtl` makes the RTL of a preset. The record's build is left to the caller.
SeedRecord run_seed(const Configuration& configuration, std::uint64_t seed,
                    const MachineFactory& make_rtl);

}  // namespace tandem
