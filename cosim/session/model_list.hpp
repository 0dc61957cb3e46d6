// The list of models that a lockstep run compares, as written by users, and the machines of those
// that create their own.
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
// The error in a list that find_models() does not accept: "models is ..., not ...".
std::string models_refusal(std::string_view list);
// The list as find_models() reads it.
std::string models_text(const runtime::LockstepModels& models);

// `cycle_exact` is empty unless both RTL and cycle-exact model are wanted.
struct MachineFactories {
  MachineFactory machine;
  MachineFactory cycle_exact;
};
// `make_rtl` is not called if the models include no RTL. `plant` as in parse_fault(); "": none.
MachineFactories machine_factories(const runtime::LockstepModels& models,
                                   const MachineFactory& make_rtl, const std::string& plant);

// The options to run random programs with these models, except number, seed, preset and knobs.
std::string random_command(const runtime::LockstepModels& models, const std::string& plant);

}  // namespace tandem
