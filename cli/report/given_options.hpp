// The options of a command line that may change a run, for pages that compare runs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cli/options/command.hpp"

namespace tandem {

// {"--seed": "3", "--in": "A=a.npy B=b.npy", "program": "k.s"}. Without those that name or shape an
// output, and without machine and timing, which the data of a run have anyway.
nlohmann::json given_options(Command command);

}  // namespace tandem
