// Which models a lockstep command compares, and the machines of those that make their own.
#pragma once

#include <string>

#include "cosim/random/lockstep.hpp"
#include "runtime/device/device_model.hpp"

namespace tandem {

// "rtl,golden,cycle": at least two of the three. Golden is in every run: the others are compared
// with it. Throws UserError.
runtime::LockstepModels chosen_models(const std::string& list);

// `cycle_exact` is empty unless both are wanted. `plant` as in parse_fault(); "": none.
struct MachineFactories {
  MachineFactory machine;
  MachineFactory cycle_exact;
};
MachineFactories machine_factories(const runtime::LockstepModels& models, const std::string& plant);

}  // namespace tandem
