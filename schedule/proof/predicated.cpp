#include "schedule/proof/predicated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tandem::schedule::proof {
namespace {

constexpr std::uint32_t gone = ~0U;

// A part of the block that a branch jumps over: done when the branch's predicate is `done_when`. If
// the branch goes to its end, it may end with a jump: when the part is skipped, control arrives
// there, too.
struct Span {
  std::uint32_t branch = 0;
  std::uint32_t first = 0;
  std::uint32_t end = 0;
  bool done_when = false;
  bool may_jump = false;
};

class Maker {
 public:
  Maker(const LinearBlock& block, const Result& result)
      : block_(block), claimed_(result.converted.begin(), result.converted.end()) {
    made_.block = block;
    made_.result = result;
    made_.result.converted.clear();
  }

  Predicated run() {
    for (const std::uint32_t branch : claimed_) {
      if (branch >= block_.operations.size() || !is_branch(branch)) {
        fail(branch, "is no branch of the block");
        return std::move(made_);
      }
    }
    for (const std::uint32_t branch : claimed_) {
      if (is_conditional(branch)) find_spans(branch);
    }
    for (const std::uint32_t branch : claimed_) {
      if (!is_conditional(branch) && joined_.count(branch) == 0) {
        fail(branch, "is always taken, and ends no part");
      }
    }
    for (const Span& span : spans_) predicate(span);
    if (made_.trouble.empty()) renumber();
    return std::move(made_);
  }

 private:
  void fail(std::uint32_t operation, const char* what) {
    if (made_.trouble.empty()) {
      made_.trouble = fmt::format("operation {}, turned into a predicate, {}", operation, what);
    }
  }

  [[nodiscard]] const LinearOperation& at(std::uint32_t operation) const {
    return block_.operations[operation];
  }
  [[nodiscard]] bool is_branch(std::uint32_t operation) const {
    return at(operation).target != no_label &&
           effects_of(at(operation).operation).control == Control::branch;
  }
  [[nodiscard]] bool is_conditional(std::uint32_t branch) const {
    return at(branch).operation.predicate != 0 || at(branch).operation.negate;
  }
  [[nodiscard]] std::uint32_t goes_to(std::uint32_t branch) const {
    return block_.labels[at(branch).target];
  }

  // The operations between a branch and its target are done when it is not taken; if they end in a
  // jump over others, the others are done when it is taken.
  void find_spans(std::uint32_t branch) {
    const std::uint32_t target = goes_to(branch);
    if (target <= branch) return fail(branch, "goes back");
    const bool taken_when = !at(branch).operation.negate;
    std::uint32_t end = target;
    const bool jumps = target - 1 != branch && claimed_.count(target - 1) != 0;
    if (jumps) {
      if (is_conditional(target - 1)) return fail(target - 1, "ends a part, and is conditional");
      const std::uint32_t behind = goes_to(target - 1);
      if (behind < target) return fail(target - 1, "goes back");
      joined_.insert(target - 1);
      spans_.push_back({branch, target, behind, taken_when, false});
      --end;
    }
    spans_.push_back({branch, branch + 1, end, !taken_when, !jumps});
    check_entries(branch, jumps ? spans_[spans_.size() - 2].end : target, jumps ? target : gone);
  }

  // Nothing else may branch in between; only the branch itself may go to `join`.
  void check_entries(std::uint32_t branch, std::uint32_t end, std::uint32_t join) {
    for (std::uint32_t i = 0; i < block_.operations.size(); ++i) {
      if (at(i).target == no_label) continue;
      const std::uint32_t to = goes_to(i);
      if (to <= branch || to >= end) continue;
      if (to != join || i != branch) fail(branch, "guards operations that are entered elsewhere");
    }
  }

  void predicate(const Span& span) {
    const LinearOperation& branch = at(span.branch);
    for (std::uint32_t i = span.first; i < span.end; ++i) {
      if (i >= block_.operations.size()) return fail(span.branch, "guards what is not there");
      LinearOperation& item = made_.block.operations[i];
      const Effects effects = effects_of(item.operation);
      const bool guarded_already = item.operation.predicate != 0 || item.operation.negate;
      const bool jumps = span.may_jump && i + 1 == span.end && is_branch(i);
      const bool moves_on = !jumps && (ends_block(effects.control) || is_barrier(effects.control));
      if (guarded_already || moves_on || effects.reads_time) {
        return fail(span.branch, "guards an operation that cannot be");
      }
      if (effects.writes && effects.write.file == File::p &&
          is_same_predicate(item, effects, branch)) {
        return fail(span.branch, "guards a write of its predicate");
      }
      item.operation.predicate = branch.operation.predicate;
      item.operation.negate = !span.done_when;
      item.registers[predicate_place] = branch.registers[predicate_place];
    }
  }
  static bool is_same_predicate(const LinearOperation& item, const Effects& effects,
                                const LinearOperation& branch) {
    const VirtualId id = item.registers[effects.write.place];
    if (id != branch.registers[predicate_place]) return false;
    return id != no_virtual || effects.write.index == branch.operation.predicate;
  }

  void renumber() {
    std::vector<std::uint32_t> number;
    std::vector<LinearOperation> kept;
    for (std::uint32_t i = 0; i < block_.operations.size(); ++i) {
      number.push_back(static_cast<std::uint32_t>(kept.size()));
      if (claimed_.count(i) == 0) kept.push_back(made_.block.operations[i]);
    }
    number.push_back(static_cast<std::uint32_t>(kept.size()));
    made_.block.operations = std::move(kept);
    for (std::uint32_t& label : made_.block.labels) label = number[label];
    for (Cut& cut : made_.result.cuts) cut.operation = number[cut.operation];
    for (Issue& issue : made_.result.issues) {
      const bool lost = claimed_.count(issue.source) != 0;
      if (lost && !issue.added) fail(issue.source, "is issued all the same");
      issue.source = lost ? gone : number[issue.source];
    }
  }

  const LinearBlock& block_;
  std::set<std::uint32_t> claimed_;
  std::set<std::uint32_t> joined_;  // jumps that end the first of two parts
  std::vector<Span> spans_;
  Predicated made_;
};

}  // namespace

Predicated predicated(const LinearBlock& block, const Result& result) {
  return Maker(block, result).run();
}

}  // namespace tandem::schedule::proof
