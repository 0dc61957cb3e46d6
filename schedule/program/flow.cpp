#include "schedule/program/flow.hpp"

#include <algorithm>

namespace tandem::schedule {
namespace {

bool always_done(const Operation& operation) {
  return is_constant_register(File::p, operation.predicate) && !operation.negate;
}

class Builder {
 public:
  explicit Builder(const Bundled& code) : code_(code), block_at_(code.bundles() + 1, 0) {}

  std::vector<FlowBlock> run() {
    find_heads();
    cut();
    for (std::uint32_t block = 0; block < blocks_.size(); ++block) connect(block);
    return std::move(blocks_);
  }

 private:
  void find_heads() {
    heads_.assign(code_.bundles() + 1, false);
    heads_.front() = true;
    for (std::uint32_t b = 0; b < code_.bundles(); ++b) {
      const BundleExits exits = exits_of(code_.bundle(b));
      if (exits.ends_block) heads_[b + 1] = true;
      for (const LabelId label : exits.targets) heads_[code_.labels[label]] = true;
    }
  }

  void cut() {
    for (std::uint32_t b = 0; b < code_.bundles(); ++b) {
      if (heads_[b]) blocks_.push_back({b, b, {}, {}});
      blocks_.back().end = b + 1;
      block_at_[b] = static_cast<std::uint32_t>(blocks_.size() - 1);
    }
  }

  void connect(std::uint32_t block) {
    const std::uint32_t last = blocks_[block].end - 1;
    const BundleExits exits = exits_of(code_.bundle(last));
    if (exits.falls_through) edge(block, last + 1);
    for (const LabelId label : exits.targets) edge(block, code_.labels[label]);
  }

  void edge(std::uint32_t from, std::uint32_t bundle) {
    if (bundle >= code_.bundles()) return;
    const std::uint32_t to = block_at_[bundle];
    std::vector<std::uint32_t>& next = blocks_[from].next;
    if (std::find(next.begin(), next.end(), to) != next.end()) return;
    next.push_back(to);
    blocks_[to].previous.push_back(from);
  }

  const Bundled& code_;
  std::vector<bool> heads_;
  std::vector<std::uint32_t> block_at_;  // by bundle
  std::vector<FlowBlock> blocks_;
};

}  // namespace

BundleExits exits_of(std::span<const BundledOperation> bundle) {
  BundleExits exits;
  for (const BundledOperation& placed : bundle) {
    const Instruction& row = instruction(placed.item.operation.op);
    if (row.group != Group::control) continue;
    const Control control = effects_of(placed.item.operation).control;
    // The scheduler's own trap for a broken promise: nothing comes after it.
    if (control == Control::trap && placed.item.added) {
      exits.ends_block = true;
      exits.falls_through = false;
    }
    if (!ends_block(control) || control == Control::call) continue;
    exits.ends_block = true;
    if (always_done(placed.item.operation)) exits.falls_through = false;
    if (placed.item.target != no_label) exits.targets.push_back(placed.item.target);
  }
  return exits;
}

std::vector<FlowBlock> flow_blocks(const Bundled& code) {
  if (code.bundles() == 0) return {};
  return Builder(code).run();
}

}  // namespace tandem::schedule
