#include "tests/schedule/inner_loops.hpp"

#include <algorithm>

#include "isa/analysis/effects.hpp"

namespace tandem::test {

using namespace schedule;  // NOLINT: a test file

namespace {

// Of operations first .. last of a block, and others on a path from one to the other.
struct Loop {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::vector<bool> body;
};

// Where control goes from an operation.
std::vector<std::uint32_t> next_of(const LinearBlock& block, std::uint32_t operation) {
  const LinearOperation& item = block.operations[operation];
  const Control control = effects_of(item.operation).control;
  const bool ends = control == Control::jump || control == Control::branch ||
                    control == Control::ret || control == Control::halt;
  std::vector<std::uint32_t> next;
  if (item.target != no_label) next.push_back(block.labels[item.target]);
  if (!ends || item.operation.predicate != 0) next.push_back(operation + 1);
  return next;
}

// Whether its first operation leads to its last: by rounds over the text, until nothing is new.
bool goes_round(const LinearBlock& block, std::uint32_t first, std::uint32_t last) {
  std::vector<bool> reached(block.operations.size() + 1, false);
  reached[first] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t i = first; i < last; ++i) {
      if (!reached[i]) continue;
      for (const std::uint32_t to : next_of(block, i)) {
        if (to < first || to > last || reached[to]) continue;
        reached[to] = true;
        changed = true;
      }
    }
  }
  return reached[last];
}

// The operations on a path from the first operation to the last that does not restart, wherever
// they are in the text: a part apart that comes back belongs to the loop.
std::vector<bool> body_of(const LinearBlock& block, std::uint32_t first, std::uint32_t last) {
  const auto count = static_cast<std::uint32_t>(block.operations.size());
  std::vector<bool> leads(count + 1, false);  // to the last one
  leads[last] = true;
  std::vector<bool> reached(count + 1, false);
  reached[first] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t i = 0; i < count; ++i) {
      for (const std::uint32_t to : next_of(block, i)) {
        if (to == first) continue;
        if (leads[to] && !leads[i]) leads[i] = changed = true;
        if (reached[i] && i != last && !reached[to]) reached[to] = changed = true;
      }
    }
  }
  for (std::uint32_t i = 0; i < count; ++i) reached[i] = reached[i] && leads[i];
  return reached;
}

// Whether the branch at `last` goes to the entry of a function that returns on the way from there:
// the function is called again with the same return address: a tail call, not a loop (0113).
bool calls_tail(const LinearBlock& block, std::uint32_t first, std::uint32_t last) {
  const auto begin = block.operations.begin();
  return first == 0 && std::any_of(begin, begin + last, [](const LinearOperation& item) {
           return effects_of(item.operation).control == Control::ret;
         });
}

bool holds(const Loop& loop, const Loop& other) {
  if (other.first == loop.first) return other.last < loop.last;
  return loop.body[other.first] && loop.body[other.last];
}

}  // namespace

std::vector<InnerLoop> inner_loops(const LinearBlock& block) {
  std::vector<Loop> found;
  for (std::uint32_t i = 0; i < block.operations.size(); ++i) {
    const LabelId target = block.operations[i].target;
    if (target == no_label || block.labels[target] > i) continue;
    const std::uint32_t head = block.labels[target];
    if (!goes_round(block, head, i) || calls_tail(block, head, i)) continue;
    found.push_back({head, i, body_of(block, head, i)});
  }
  std::vector<InnerLoop> inner;
  for (const Loop& loop : found) {
    const bool holds_another = std::any_of(found.begin(), found.end(),
                                           [&](const Loop& other) { return holds(loop, other); });
    if (!holds_another) inner.push_back({loop.first, loop.last});
  }
  return inner;
}

bool is_one_stretch(const LinearBlock& block, const InnerLoop& loop) {
  for (std::uint32_t i = loop.first; i < loop.last; ++i) {
    const Effects effects = effects_of(block.operations[i].operation);
    if (ends_block(effects.control) || is_barrier(effects.control)) return false;
  }
  for (const LinearOperation& item : block.operations) {
    if (item.target == no_label) continue;
    const std::uint32_t to = block.labels[item.target];
    if (to > loop.first && to <= loop.last) return false;
  }
  return true;
}

}  // namespace tandem::test
