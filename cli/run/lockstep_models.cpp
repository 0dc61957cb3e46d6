#include "cli/run/lockstep_models.hpp"

#include <fmt/format.h>

#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "runtime/device/rtl_plugin.hpp"

namespace tandem {

runtime::LockstepModels chosen_models(const std::string& list) {
  const std::optional<runtime::LockstepModels> models = find_models(list);
  if (!models) throw UserError{fmt::format(message::bad_models, models_refusal(list))};
  return *models;
}

MachineFactories command_factories(const runtime::LockstepModels& models,
                                   const std::string& plant) {
  return machine_factories(models, runtime::load_rtl_machine, plant);
}

}  // namespace tandem
