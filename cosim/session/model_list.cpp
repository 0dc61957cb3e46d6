#include "cosim/session/model_list.hpp"

#include <fmt/format.h>

#include <set>

#include "cosim/faults/fault.hpp"
#include "runtime/models/cycle_machine.hpp"

namespace tandem {

std::optional<runtime::LockstepModels> find_models(std::string_view list) {
  std::set<std::string_view> names;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (!names.insert(list.substr(begin, end - begin)).second) return std::nullopt;
    begin = end + 1;
  }
  const runtime::LockstepModels models{names.count("rtl") != 0, names.count("cycle") != 0};
  const std::size_t known = std::size_t{1} + (models.rtl ? 1 : 0) + (models.cycle ? 1 : 0);
  if (names.count("golden") == 0 || known == 1 || names.size() != known) return std::nullopt;
  return models;
}

std::string models_refusal(std::string_view list) {
  return fmt::format(
      "models is rtl,golden,cycle or rtl,golden or golden,cycle, not '{}': everything is compared "
      "with golden",
      list);
}

std::string models_text(const runtime::LockstepModels& models) {
  return fmt::format("{}golden{}", models.rtl ? "rtl," : "", models.cycle ? ",cycle" : "");
}

MachineFactories machine_factories(const runtime::LockstepModels& models,
                                   const MachineFactory& make_rtl, const std::string& plant) {
  MachineFactories factories;
  factories.machine = models.rtl ? make_rtl : MachineFactory(make_cycle_machine);
  if (models.rtl && models.cycle) factories.cycle_exact = make_timed_machine;
  if (plant.empty()) return factories;
  factories.machine = [make = factories.machine, fault = parse_fault(plant)](
                          const Parameters& parameters, const MachineOptions& options) {
    return make_faulty_machine(make(parameters, options), fault, nullptr);
  };
  return factories;
}

std::string random_command(const runtime::LockstepModels& models, const std::string& plant) {
  const std::string fault = plant.empty() ? "" : " --plant " + plant;
  return fmt::format("tandem lockstep --random 1 --models {}{}", models_text(models), fault);
}

}  // namespace tandem
