#include "cli/run/lockstep_models.hpp"

#include <fmt/format.h>

#include <set>
#include <sstream>

#include "cli/messages.hpp"
#include "cli/user_error.hpp"
#include "cosim/faults/fault.hpp"
#include "runtime/device/rtl_plugin.hpp"
#include "runtime/models/cycle_machine.hpp"

namespace tandem {

runtime::LockstepModels chosen_models(const std::string& list) {
  runtime::LockstepModels models{false, false};
  std::set<std::string> different;
  std::istringstream names(list);
  for (std::string name; std::getline(names, name, ',');) {
    different.insert(name);
    if (name != "rtl" && name != "golden" && name != "cycle") {
      throw UserError{fmt::format(message::no_such_model, name)};
    }
    models.rtl = models.rtl || name == "rtl";
    models.cycle = models.cycle || name == "cycle";
  }
  if (different.size() < 2) {
    throw UserError{message::two_models_needed};
  }
  return models;
}

MachineFactories machine_factories(const runtime::LockstepModels& models,
                                   const std::string& plant) {
  MachineFactories factories;
  factories.machine = models.rtl ? runtime::load_rtl_machine : make_cycle_machine;
  if (models.rtl && models.cycle) factories.cycle_exact = make_timed_machine;
  if (plant.empty()) return factories;
  factories.machine = [make = factories.machine, fault = parse_fault(plant)](
                          const Parameters& parameters, const MachineOptions& options) {
    return make_faulty_machine(make(parameters, options), fault, nullptr);
  };
  return factories;
}

}  // namespace tandem
