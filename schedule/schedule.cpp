#include "schedule/schedule.hpp"

#include <optional>

#include "schedule/bundled.hpp"
#include "schedule/list.hpp"
#include "schedule/rename.hpp"

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

// The narrower the window, the fewer values live at once; at last the order of the text is kept.
std::optional<Bundled> packed(const LinearBlock& block, const Parameters& preset) {
  const LinearBlock separate = renamed(block);
  for (const std::uint32_t window : {256U, 64U, 16U, 1U}) {
    Bundled code = list_scheduled(separate, preset, {window});
    if (allocate_registers(code).empty()) return code;
  }
  Bundled code = list_scheduled(block, preset, {1});
  if (allocate_registers(code).empty()) return code;
  return std::nullopt;
}

}  // namespace

Result schedule_block(const LinearBlock& block, const Options& options) {
  if (options.level == Level::list) {
    if (const auto code = packed(block, *options.preset)) return finished(*code);
  }
  Bundled code = in_sequence(block);
  std::vector<Trouble> troubles = allocate_registers(code);
  if (troubles.empty()) return finished(code);
  Result result;
  result.troubles = std::move(troubles);
  return result;
}

}  // namespace tandem::schedule
