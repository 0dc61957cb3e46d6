// Outputs that a program has not filled completely.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/golden/golden_model.hpp"
#include "isa/launch/launch.hpp"

namespace tandem {

struct UnwrittenOutput {
  std::string tensor;
  std::uint64_t elements = 0;       // never written, or copied from never-written data
  std::vector<std::int64_t> first;  // indices of the first of them
};

// After a run with detect_uninitialised. Memory that an output shares with an input counts as
// written.
std::vector<UnwrittenOutput> unwritten_outputs(const Launch& launch, const GoldenModel& model);
// "output y: 96 elements never written, the first is y[3][5]"
std::string unwritten_text(const UnwrittenOutput& output);

}  // namespace tandem
