#include "schedule/loops/find_loops.hpp"

#include <algorithm>
#include <vector>

namespace tandem::schedule {
namespace {

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

constexpr std::uint32_t most_looked_at = 16'384;  // operations; beyond that the text is trusted

// Where control goes from an operation: to the next one, to its target, or both.
bool goes_on(const LinearOperation& item) {
  if (item.operation.predicate != 0) return true;
  const Control control = effects_of(item.operation).control;
  return !ends_block(control) || control == Control::call;
}

// Whether control comes from operation head to operation last without leaving those between them.
// Where it does not, the branch back from last to head only returns from out-of-line code.
bool goes_round(const LinearBlock& block, std::uint32_t head, std::uint32_t last) {
  if (last - head >= most_looked_at) return true;
  std::vector<bool> reached(last - head + 1, false);
  std::vector<std::uint32_t> left;
  const auto reach = [&](std::uint32_t operation) {
    if (operation < head || operation > last || reached[operation - head]) return;
    reached[operation - head] = true;
    left.push_back(operation);
  };
  reach(head);
  while (!left.empty() && left.back() != last) {
    const LinearOperation& item = block.operations[left.back()];
    const std::uint32_t next = left.back() + 1;
    left.pop_back();
    if (item.target != no_label) reach(block.labels[item.target]);
    if (goes_on(item)) reach(next);
  }
  return !left.empty();
}

// The beginning of the loop that ends with this operation.
std::optional<std::uint32_t> head_of_loop(const LinearBlock& block, std::uint32_t last) {
  const LabelId target = block.operations[last].target;
  if (target == no_label || block.labels[target] > last) return std::nullopt;
  const std::uint32_t head = block.labels[target];
  return goes_round(block, head, last) ? std::optional(head) : std::nullopt;
}

}  // namespace

std::optional<std::uint32_t> loop_head(const LinearBlock& block, const Region& region) {
  const std::uint32_t last = region.end - 1;
  if (effects_of(block.operations[last].operation).control != Control::branch) return std::nullopt;
  return head_of_loop(block, last);
}

void explain_stretches(const LinearBlock& block, std::uint32_t head, std::uint32_t end,
                       LoopReport& report) {
  const LinearOperation& last = block.operations[end - 1];
  if (last.operation.predicate == 0) {
    report.reason = "the branch back is always taken";
    report.culprit = last.tag;
    return;
  }
  // An inner loop is the reason, whatever else there is.
  for (std::uint32_t i = head; i + 1 < end; ++i) {
    if (!head_of_loop(block, i)) continue;
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
