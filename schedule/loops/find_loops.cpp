#include "schedule/loops/find_loops.hpp"

#include <algorithm>

namespace tandem::schedule {
namespace {

bool is_back(const LinearBlock& block, std::uint32_t operation) {
  const LabelId target = block.operations[operation].target;
  return target != no_label && block.labels[target] <= operation;
}

const char* barrier_text(const LinearOperation& item, const Effects& effects) {
  if (effects.reads_time) return "its result is the time";
  switch (effects.control) {
    case Control::trap: return "a trap in the loop";
    case Control::idle: return "the loop idles";
    case Control::marker: return "a marker in the loop";
    case Control::call: return "a call in the loop";
    case Control::jump:
    case Control::ret:
    case Control::halt: return "the loop is left here";
    case Control::branch:
      return item.target == no_label ? "the loop is left here" : "a branch in the loop";
    case Control::none:
    case Control::unknown: return "this may not be moved";
  }
  __builtin_unreachable();
}

}  // namespace

std::optional<std::uint32_t> loop_head(const LinearBlock& block, const Region& region) {
  const std::uint32_t last = region.end - 1;
  if (effects_of(block.operations[last].operation).control != Control::branch) return std::nullopt;
  if (!is_back(block, last)) return std::nullopt;
  return block.labels[block.operations[last].target];
}

void explain_stretches(const LinearBlock& block, std::uint32_t head, std::uint32_t end,
                       LoopReport& report) {
  const LinearOperation& last = block.operations[end - 1];
  if (last.operation.predicate == 0) {
    report.reason = "the branch back is always taken";
    report.culprit = last.tag;
    return;
  }
  // A loop inside is the reason, whatever else there is.
  for (std::uint32_t i = head; i + 1 < end; ++i) {
    if (!is_back(block, i)) continue;
    report.reason = "a loop in the loop";
    report.culprit = block.operations[i].tag;
    return;
  }
  for (std::uint32_t i = head; i + 1 < end; ++i) {
    const LinearOperation& item = block.operations[i];
    const Effects effects = effects_of(item.operation);
    if (!ends_block(effects.control) && !pins_time(effects)) continue;
    const bool leaves_loop = item.target != no_label && block.labels[item.target] >= end;
    report.reason = leaves_loop ? "the loop is left here" : barrier_text(item, effects);
    report.culprit = item.tag;
    return;
  }
  report.reason = "the loop is entered in its middle";
  for (std::uint32_t i = 0; i < block.operations.size(); ++i) {
    const LabelId target = block.operations[i].target;
    if (target == no_label || block.labels[target] <= head || block.labels[target] >= end) continue;
    report.culprit = block.operations[i].tag;
    return;
  }
}

}  // namespace tandem::schedule
