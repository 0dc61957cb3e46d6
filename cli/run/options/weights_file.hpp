// Files with weights of instructions for random programs.
//
//   [weights]                # of what is not named: 1
//   "*" = 2
//   "vadd.*" = 20
//   "mxpush" = "0..10"       # drawn for each program
//
//   [mix.matrix]             # on top of those, if it is asked for
//   "mx*" = 50
#pragma once

#include <string>
#include <vector>

#include "cosim/random/knobs.hpp"

namespace tandem {

// Adds knobs `weight.NAME` (cosim/random/weights.hpp); a later file replaces weights of the same
// names. `mix` "": none. Throws UserError and runtime::Error, with the line.
void add_weights(KnobChoices& choices, const std::vector<std::string>& files,
                 const std::string& mix);

}  // namespace tandem
