// The models that a lockstep command compares.
#pragma once

#include <string>

#include "cosim/session/model_list.hpp"

namespace tandem {

// As find_models(); throws UserError.
runtime::LockstepModels chosen_models(const std::string& list);
// machine_factories() with the RTL that this build can load.
MachineFactories command_factories(const runtime::LockstepModels& models, const std::string& plant);

}  // namespace tandem
