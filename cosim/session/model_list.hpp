// Which models a lockstep run compares, as people write it, and the machines of those that make
// their own.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cosim/session/random_session.hpp"
#include "runtime/device/device_model.hpp"

namespace tandem {

// "rtl,golden,cycle", "rtl,golden" or "golden,cycle", in any order. Everything is compared with
// golden, so it has to be named; nullopt otherwise.
std::optional<runtime::LockstepModels> find_models(std::string_view list);
// What is wrong with a list that find_models() does not take: "models is ..., not ...".
std::string models_refusal(std::string_view list);
// The list as find_models() reads it.
std::string models_text(const runtime::LockstepModels& models);

// `cycle_exact` is empty unless RTL and cycle-exact model are both wanted.
struct MachineFactories {
  MachineFactory machine;
  MachineFactory cycle_exact;
};
// `make_rtl` is not called where the models have none. `plant` as in parse_fault(); "": none.
MachineFactories machine_factories(const runtime::LockstepModels& models,
                                   const MachineFactory& make_rtl, const std::string& plant);

// What runs random programs with these models, but for number, seed, preset and knobs.
std::string random_command(const runtime::LockstepModels& models, const std::string& plant);

}  // namespace tandem
