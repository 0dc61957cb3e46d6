// The version of StableHLO that an artifact was written for: it is in the bytecode as the name of
// the producer, "StableHLO_v1.13.0".
#pragma once

#include <string>
#include <string_view>

namespace tandem::compiler {

// "" where this reader knows the version, or where the bytes are no artifact; else the error. Known
// versions are 0.9.0, the oldest with a promise of compatibility, to 1.17.0.
std::string version_refusal(std::string_view bytes);

}  // namespace tandem::compiler
