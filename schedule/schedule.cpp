#include "schedule/schedule.hpp"

#include "schedule/bundled.hpp"

namespace tandem::schedule {
namespace {

Result finished(const Bundled& code) {
  Result result;
  result.bundles = code.bundles();
  result.labels = code.labels;
  result.issues.reserve(code.operations.size());
  for (std::uint32_t b = 0; b < code.bundles(); ++b) {
    for (const BundledOperation& placed : code.bundle(b)) {
      result.issues.push_back(
          {placed.item.operation, placed.slot, b, placed.item.tag, placed.item.target});
    }
  }
  return result;
}

}  // namespace

Result schedule_block(const LinearBlock& block, const Options& options) {
  Bundled code;
  switch (options.level) {
    case Level::none: code = in_sequence(block); break;
  }
  std::vector<Trouble> troubles = allocate_registers(code);
  if (troubles.empty()) return finished(code);
  Result result;
  result.troubles = std::move(troubles);
  return result;
}

}  // namespace tandem::schedule
