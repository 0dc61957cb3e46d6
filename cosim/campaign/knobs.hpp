// The random generator's knobs as campaign files name them: the one place that knows both.
#pragma once

#include <map>
#include <string>

#include "cosim/random/program.hpp"

namespace tandem {

using KnobValues = std::map<std::string, std::string>;  // name -> value, as in "density = 90"

// The knobs that the seed draws, with these instead. Throws runtime::Error for a name or a value
// that there is not.
RandomKnobs knobs_for(std::uint64_t seed, const KnobValues& values);

}  // namespace tandem
