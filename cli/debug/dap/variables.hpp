// What an editor shows beside the text: registers and tensors, as trees.
#pragma once

#include <nlohmann/json.hpp>

#include "cli/debug/shell.hpp"

namespace tandem::debug::dap {

// The roots: scalars, predicates, flags, vectors, tensors.
nlohmann::json scopes(const Session& session);
// What is below a root or a variable, which `reference` names; from `start` on, at most `count`
// (0: all) of an indexed one. An unknown reference has nothing below it.
nlohmann::json variables(const Shell& shell, std::int64_t reference, std::int64_t start,
                         std::int64_t count);
// "1 2 3 ...": the values of an answer of Shell::values(); `?` where nothing was ever written.
std::string values_text(const nlohmann::json& answer);

}  // namespace tandem::debug::dap
