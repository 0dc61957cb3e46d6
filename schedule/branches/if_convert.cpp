#include "schedule/branches/if_convert.hpp"

#include <algorithm>
#include <unordered_map>

#include "schedule/branches/forward_ifs.hpp"
#include "schedule/list/list.hpp"
#include "schedule/loops/bounds.hpp"
#include "schedule/memory/regions.hpp"

namespace tandem::schedule {
namespace {

constexpr std::uint32_t looked_at = 96;      // operations before and after that count for the cost
constexpr std::uint32_t largest_loop = 400;  // operations that may become a pipeline
constexpr std::uint32_t taken_branch = 1;    // cycles lost by a branch that is taken

// Under the predicate of the branch, or its opposite.
void predicate(LinearOperation& item, const LinearOperation& branch, Part part) {
  item.operation.predicate = branch.operation.predicate;
  item.operation.negate = (part == Part::taken) == branch.operation.negate;
  item.registers[predicate_place] = branch.registers[predicate_place];
}

// These operations, in order, as a separate block with only the registers that they name.
class Excerpt {
 public:
  explicit Excerpt(const LinearBlock& block) : block_(block) {}

  void add(std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t i = first; i < end; ++i) add(block_.operations[i]);
  }
  void add(LinearOperation item) {
    for (VirtualId& id : item.registers) {
      if (id == no_virtual) continue;
      const auto [found, is_new] =
          ids_.emplace(id, static_cast<VirtualId>(excerpt_.virtuals.size()));
      if (is_new) excerpt_.virtuals.push_back(block_.virtuals[id]);
      id = found->second;
    }
    item.target = no_label;
    excerpt_.operations.push_back(item);
  }
  // The part's operations, predicated.
  void add(const ForwardIf& item) {
    const LinearOperation& branch = block_.operations[item.branch];
    for (std::uint32_t i = item.branch; i < item.end; ++i) {
      const Part part = part_of(item, i);
      if (part == Part::branch) continue;
      LinearOperation operation = block_.operations[i];
      predicate(operation, branch, part);
      add(operation);
    }
  }
  // Goes back to the beginning at its last operation.
  const LinearBlock& as_loop() {
    excerpt_.labels = {0};
    excerpt_.operations.back().target = 0;
    return excerpt_;
  }
  [[nodiscard]] const LinearBlock& block() const { return excerpt_; }

 private:
  const LinearBlock& block_;
  LinearBlock excerpt_;
  std::unordered_map<VirtualId, VirtualId> ids_;
};

class Chooser {
 public:
  Chooser(const LinearBlock& block, const Parameters& preset)
      : block_(block), preset_(preset), ifs_(forward_ifs(block)), wanted_(ifs_.size(), false) {}

  std::vector<ForwardIf> run() {
    if (ifs_.empty()) return {};
    drop_cold();
    find_stretches();
    choose_in_loops();
    for (std::size_t i = 0; i < ifs_.size(); ++i) {
      if (!wanted_[i] && !ifs_[i].repeats) wanted_[i] = is_shorter(ifs_[i]);
    }
    std::vector<ForwardIf> chosen;
    for (std::size_t i = 0; i < ifs_.size(); ++i) {
      if (wanted_[i]) chosen.push_back(ifs_[i]);
    }
    return chosen;
  }

 private:
  // Code that the author marks cold is hardly ever executed: it keeps its branch.
  void drop_cold() {
    for (const Hint& hint : block_.hints) {
      if (hint.heat != Heat::cold) continue;
      const std::uint32_t at = block_.labels[hint.label];
      const auto around = [at](const ForwardIf& item) { return item.branch < at && at < item.end; };
      ifs_.erase(std::remove_if(ifs_.begin(), ifs_.end(), around), ifs_.end());
    }
    wanted_.assign(ifs_.size(), false);
  }
  void find_stretches() {
    regions_ = regions_of(block_);
    region_of_.resize(block_.operations.size() + 1, static_cast<std::uint32_t>(regions_.size()));
    for (std::uint32_t r = 0; r < regions_.size(); ++r) {
      for (std::uint32_t i = regions_[r].first; i < regions_[r].end; ++i) region_of_[i] = r;
    }
    entries_ = entries_of(block_);
  }

  [[nodiscard]] std::uint32_t cycles(std::uint32_t first, std::uint32_t end) const {
    if (first == end) return 0;
    Excerpt excerpt(block_);
    excerpt.add(first, end);
    return list_cycles(excerpt.block(), preset_);
  }

  struct PartCycles {
    std::uint32_t not_taken = 0;
    std::uint32_t taken = 0;
  };
  [[nodiscard]] PartCycles part_cycles(const ForwardIf& item) const {
    const std::uint32_t jump = item.has_both() ? 1 + taken_branch : 0;
    return {cycles(item.branch + 1, item.first_end()) + jump,
            cycles(item.otherwise, item.end) + taken_branch};
  }
  // Each part is assumed to execute every second time.
  [[nodiscard]] std::uint32_t cycles_of_parts(const ForwardIf& item) const {
    const PartCycles parts = part_cycles(item);
    return (parts.not_taken + parts.taken + 1) / 2;
  }

  // Together with the code before and after it, even if the longer part is never executed.
  [[nodiscard]] bool is_shorter(const ForwardIf& item) const {
    const Region& before = regions_[region_of_[item.branch]];
    const std::uint32_t first = item.branch - std::min(item.branch - before.first, looked_at);
    std::uint32_t end = item.end;
    if (end < block_.operations.size())
      end = std::min(regions_[region_of_[end]].end, end + looked_at);
    Excerpt together(block_);
    together.add(first, item.branch);
    together.add(item);
    together.add(item.end, end);
    const PartCycles parts = part_cycles(item);
    const std::uint32_t apart = cycles(first, item.branch + 1) +
                                std::min(parts.not_taken, parts.taken) + cycles(item.end, end);
    return list_cycles(together.block(), preset_) <= apart;
  }

  // Loops that contain only such branches, and so could be one stretch.
  void choose_in_loops() {
    for (std::uint32_t last = 0; last < block_.operations.size(); ++last) {
      const LinearOperation& branch = block_.operations[last];
      if (branch.target == no_label) continue;
      const std::uint32_t head = block_.labels[branch.target];
      if (head >= last || last - head > largest_loop) continue;
      const auto inside = inside_of(head, last);
      if (branch.operation.predicate == 0 && !ends_with_exit(inside, last)) continue;
      if (inside.empty() || !is_one_stretch(head, last, inside)) continue;
      if (!is_shorter_pipelined(head, last, inside)) continue;
      for (const std::size_t i : inside) wanted_[i] = true;
    }
  }
  // Whether the last of them leaves the loop instead of the branch back, which is always taken.
  [[nodiscard]] bool ends_with_exit(const std::vector<std::size_t>& inside,
                                    std::uint32_t last) const {
    return !inside.empty() && ifs_[inside.back()].repeats && ifs_[inside.back()].end == last + 1;
  }
  [[nodiscard]] std::vector<std::size_t> inside_of(std::uint32_t head, std::uint32_t last) const {
    std::vector<std::size_t> found;
    auto at = std::lower_bound(
        ifs_.begin(), ifs_.end(), head,
        [](const ForwardIf& item, std::uint32_t operation) { return item.branch < operation; });
    for (; at != ifs_.end() && at->end <= last + (at->repeats ? 1 : 0); ++at) {
      found.push_back(static_cast<std::size_t>(at - ifs_.begin()));
    }
    return found;
  }
  // Once these are gone: every stretch between them begins where one of them ends.
  [[nodiscard]] bool is_one_stretch(std::uint32_t head, std::uint32_t last,
                                    const std::vector<std::size_t>& inside) const {
    std::uint32_t at = head;
    for (const std::size_t i : inside) {
      if (region_of_[at] != region_of_[ifs_[i].branch]) return false;
      if (ifs_[i].repeats)
        return ifs_[i].end == last + 1 && regions_[region_of_[head]].first == head;
      if (entries_[ifs_[i].end] > 1) return false;
      at = ifs_[i].end;
    }
    return region_of_[at] == region_of_[last] && regions_[region_of_[head]].first == head;
  }
  // At the shortest interval that its slots and units allow, if the loop can be a pipeline at all.
  [[nodiscard]] bool is_shorter_pipelined(std::uint32_t head, std::uint32_t last,
                                          const std::vector<std::size_t>& inside) const {
    Excerpt together(block_);
    std::uint32_t apart = taken_branch;
    std::uint32_t at = head;
    for (const std::size_t i : inside) {
      together.add(at, ifs_[i].branch);
      together.add(ifs_[i]);
      apart += cycles(at, ifs_[i].branch + 1) + cycles_of_parts(ifs_[i]);
      at = ifs_[i].end;
    }
    if (at <= last) {
      together.add(at, last + 1);
      apart += cycles(at, last + 1);
    }
    const LinearBlock& loop = together.as_loop();
    const Region region{0, static_cast<std::uint32_t>(loop.operations.size()), true};
    Values values(loop);
    const Promises promises(loop);
    Refusal refusal;
    const auto graph = loop_graph(loop, region, values, promises, preset_, refusal);
    return graph && bounds_of(loop, *graph, 0).resources < apart;
  }

  const LinearBlock& block_;
  const Parameters& preset_;
  std::vector<ForwardIf> ifs_;
  std::vector<bool> wanted_;
  std::vector<Region> regions_;
  std::vector<std::uint32_t> region_of_;  // by operation
  std::vector<std::uint32_t> entries_;    // see entries_of()
};

// Registers that are named in one part only, and wholly written there first.
void find_guarded(const LinearBlock& before, const std::vector<ForwardIf>& chosen,
                  LinearBlock& block) {
  constexpr std::uint32_t nowhere = ~0U;
  constexpr std::uint32_t everywhere = nowhere - 1;
  std::vector<std::uint32_t> part_of_register(block.virtuals.size(), nowhere);
  std::uint32_t number = 0;
  auto next = chosen.begin();
  for (std::uint32_t i = 0; i < before.operations.size(); ++i) {
    while (next != chosen.end() && i >= next->end) {
      ++next;
      number += 2;
    }
    const Part part = next == chosen.end() ? Part::none : part_of(*next, i);
    const bool inside = part == Part::taken || part == Part::not_taken;
    const std::uint32_t here = inside ? number + (part == Part::taken ? 1U : 0U) : everywhere;
    const LinearOperation& item = before.operations[i];
    const Effects effects = effects_of(item.operation);
    const auto touch = [&](const RegisterUse& use, bool defines) {
      const VirtualId id = item.registers[use.place];
      if (id == no_virtual) return;
      std::uint32_t& owner = part_of_register[id];
      if (owner == nowhere && defines && inside) owner = here;
      if (owner != here) owner = everywhere;
    };
    for (const RegisterUse& use : effects.reads()) touch(use, false);
    if (effects.writes) touch(effects.write, !effects.keeps_old);
  }
  for (std::size_t id = 0; id < part_of_register.size(); ++id) {
    block.virtuals[id].guarded = part_of_register[id] < everywhere;
  }
}

}  // namespace

IfConverted if_converted(const LinearBlock& block, const Parameters& preset) {
  const std::vector<ForwardIf> chosen = Chooser(block, preset).run();
  IfConverted result{block, {}};
  if (chosen.empty()) return result;
  find_guarded(block, chosen, result.block);
  std::vector<std::uint32_t> number(block.operations.size() + 1, 0);
  result.block.operations.clear();
  auto next = chosen.begin();
  for (std::uint32_t i = 0; i < block.operations.size(); ++i) {
    number[i] = static_cast<std::uint32_t>(result.block.operations.size());
    while (next != chosen.end() && i >= next->end) ++next;
    const Part part = next == chosen.end() ? Part::none : part_of(*next, i);
    if (part == Part::branch) {
      result.branches.push_back(i);
      continue;
    }
    result.block.operations.push_back(block.operations[i]);
    if (part == Part::none) continue;
    predicate(result.block.operations.back(), block.operations[next->branch], part);
  }
  number.back() = static_cast<std::uint32_t>(result.block.operations.size());
  for (std::uint32_t& label : result.block.labels) label = number[label];
  return result;
}

}  // namespace tandem::schedule
