#include "schedule/branches/forward_ifs.hpp"

#include <algorithm>

#include "schedule/memory/regions.hpp"

namespace tandem::schedule {
namespace {

constexpr std::uint32_t longest_part = 64;  // operations

class Finder {
 public:
  explicit Finder(const LinearBlock& block) : block_(block), entries_(entries_of(block)) {}

  std::vector<ForwardIf> run() const {
    std::vector<ForwardIf> found;
    const auto count = static_cast<std::uint32_t>(block_.operations.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      ForwardIf item;
      if (!shape(i, item) || !fits(item)) continue;
      found.push_back(item);
      i = item.end - 1;
    }
    return found;
  }

 private:
  [[nodiscard]] bool is_branch(std::uint32_t operation) const {
    const LinearOperation& item = block_.operations[operation];
    return item.target != no_label && effects_of(item.operation).control == Control::branch;
  }
  [[nodiscard]] static bool is_predicated(const Operation& operation) {
    return operation.predicate != 0 || operation.negate;
  }
  [[nodiscard]] std::uint32_t target(std::uint32_t operation) const {
    return block_.labels[block_.operations[operation].target];
  }

  // With a branch over the other part before the target there are two parts.
  bool shape(std::uint32_t branch, ForwardIf& item) const {
    if (!is_branch(branch) || block_.operations[branch].operation.predicate == 0) return false;
    const std::uint32_t to = target(branch);
    if (to <= branch + 1 || to - branch > longest_part) return false;
    item = {branch, to, to, false};
    const bool leaves =
        is_branch(to - 1) && to - 1 > branch && !is_predicated(block_.operations[to - 1].operation);
    if (!leaves) return true;
    item.repeats = target(to - 1) <= branch;
    if (item.repeats) return true;
    item.end = target(to - 1);
    return item.end > to && item.end - to <= longest_part && entries_[to] == 1;
  }

  [[nodiscard]] bool fits(const ForwardIf& item) const {
    const RegisterKey predicate = predicate_of(item.branch);
    for (std::uint32_t i = item.branch + 1; i < item.end; ++i) {
      const bool joins = item.has_both() && i == item.otherwise;
      if (entries_[i] != 0 && !joins) return false;
      if (item.has_both() && i == item.otherwise - 1) continue;
      if (item.repeats && i == item.end - 1) continue;
      if (!may_be_predicated(i, predicate)) return false;
    }
    return true;
  }
  [[nodiscard]] RegisterKey predicate_of(std::uint32_t branch) const {
    const LinearOperation& item = block_.operations[branch];
    return key_of(item, {File::p, item.operation.predicate, predicate_place});
  }
  [[nodiscard]] bool may_be_predicated(std::uint32_t operation,
                                       const RegisterKey& predicate) const {
    const LinearOperation& item = block_.operations[operation];
    const Effects effects = effects_of(item.operation);
    if (is_predicated(item.operation) || ends_block(effects.control) || pins_time(effects)) {
      return false;
    }
    return !effects.writes || !(key_of(item, effects.write) == predicate);
  }

  const LinearBlock& block_;
  std::vector<std::uint32_t> entries_;
};

}  // namespace

std::vector<std::uint32_t> entries_of(const LinearBlock& block) {
  std::vector<std::uint32_t> entries(block.operations.size() + 1, 0);
  for (const LinearOperation& item : block.operations) {
    if (item.target != no_label) ++entries[block.labels[item.target]];
  }
  return entries;
}

std::vector<ForwardIf> forward_ifs(const LinearBlock& block) { return Finder(block).run(); }

Part part_of(const ForwardIf& item, std::uint32_t operation) {
  if (operation == item.branch) return Part::branch;
  if (operation < item.branch || operation >= item.end) return Part::none;
  if (operation < item.first_end()) return Part::not_taken;
  return operation < item.otherwise ? Part::branch : Part::taken;
}

}  // namespace tandem::schedule
