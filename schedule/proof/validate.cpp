#include "schedule/proof/validate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schedule/proof/predicated.hpp"
#include "schedule/proof/validator.hpp"

namespace tandem::schedule::proof {

Validator::Validator(const LinearBlock& block, const Result& result, std::uint32_t lanes)
    : block_(block),
      result_(result),
      lanes_(lanes),
      constants_(block),
      bounds_(block, result, constants_) {
  for (const LinearOperation& item : block.operations) {
    effects_.push_back(effects_of(item.operation));
    note_names(item, effects_.back());
  }
  find_remade();
  for (std::uint32_t c = 0; c < result.cuts.size(); ++c) cut_at_[result.cuts[c].operation] = c;
  first_issue_.assign(result.bundles + 1, 0);
  for (const Issue& issue : result.issues) ++first_issue_[issue.bundle + 1];
  for (std::uint32_t b = 0; b < result.bundles; ++b) first_issue_[b + 1] += first_issue_[b];
  issues_.assign(block.operations.size(), 0);
  for (const Issue& issue : result.issues) {
    if (!issue.added && issue.source < issues_.size()) ++issues_[issue.source];
  }
}

std::string Validator::run() {
  if (result_.cuts.empty() || result_.cuts[0].operation != 0 || result_.cuts[0].bundle != 0) {
    return "the first cut is not the beginning";
  }
  for (std::uint32_t cut = 0; cut < result_.cuts.size() && good(); ++cut) follow(cut);
  if (good()) settle();
  return trouble_;
}

Key Validator::linear_key(const LinearOperation& item, const RegisterUse& use) const {
  const VirtualId id = item.registers[use.place];
  if (id != no_virtual) return machine_registers + id;
  return machine_key(use);
}

void Validator::note_names(const LinearOperation& item, const Effects& effects) {
  const auto note = [&](const RegisterUse& use) {
    if (item.registers[use.place] == no_virtual) named_.insert(machine_key(use));
  };
  for (const RegisterUse& use : effects.reads()) note(use);
  if (effects.writes) note(effects.write);
}

void Validator::find_remade() {
  std::vector<std::uint32_t> writes(block_.virtuals.size(), 0);
  for (std::size_t i = 0; i < effects_.size(); ++i) {
    const VirtualId id = written_by(static_cast<std::uint32_t>(i));
    if (id != no_virtual) ++writes[id];
  }
  remade_.assign(block_.virtuals.size(), false);
  for (const Issue& issue : result_.issues) {
    if (!issue.added || issue.source >= effects_.size()) continue;
    const VirtualId id = written_by(issue.source);
    const bool constant = makes_constant(block_.operations[issue.source]);
    if (id != no_virtual && writes[id] == 1 && constant) remade_[id] = true;
  }
}

VirtualId Validator::written_by(std::uint32_t operation) const {
  const Effects& effects = effects_[operation];
  if (!effects.writes) return no_virtual;
  return block_.operations[operation].registers[effects.write.place];
}

void Validator::follow(std::uint32_t cut) {
  const std::uint32_t first = result_.cuts[cut].operation;
  std::uint32_t end = first + 1;
  while (end < block_.operations.size() && cut_at_.count(end) == 0) ++end;
  for (std::uint32_t i = first; i + 1 < end; ++i) {
    if (passes_control(i)) return fail(fmt::format("no cut after operation {}", i));
  }
  const std::uint32_t last = end - 1;
  const LinearOperation& branch = block_.operations[last];
  const bool conditional = branch.operation.predicate != 0 || branch.operation.negate;
  const bool to_itself = branch.target != no_label && block_.labels[branch.target] == first;
  // A pipeline may have one branch, if a promise makes all those before the kernel unnecessary.
  std::uint32_t issues = issues_[last];
  for (std::uint32_t i = first; i < last && issues == 1; ++i) issues = issues_[i];
  rounds_.clear();
  if (to_itself && issues > 1) {
    for (std::uint32_t rounds = 1; rounds <= 2 * issues + 1 && good(); ++rounds) {
      walk(cut, first, end, rounds, false);
      rounds_.emplace_back(decided_at_, trapped_);
    }
    if (good()) check_traps(first);
    return;
  }
  if (passes_control(last)) walk(cut, first, end, 1, true);
  if (!passes_control(last) || conditional) walk(cut, first, end, 1, false);
}

// The code after the branch of an iteration depends on its bundle alone. So if the branch of
// iteration n is again that of iteration m, the loop is left in the same way after both, and after
// every m - n later ones.
void Validator::check_traps(std::uint32_t first) {
  for (std::size_t n = 0; n < rounds_.size(); ++n) {
    if (!rounds_[n].second) continue;
    for (std::size_t m = n + 1; m < rounds_.size(); ++m) {
      if (rounds_[m].first != rounds_[n].first) continue;
      const Hint* hint = block_.hint_at(first);
      if (hint == nullptr || hint->allows_any(n + 1, m - n)) {
        return fail(
            fmt::format("the loop at operation {} traps where it is allowed to end", first));
      }
      break;
    }
  }
}

void Validator::walk(std::uint32_t cut, std::uint32_t first, std::uint32_t end,
                     std::uint32_t rounds, bool taken) {
  trace_.clear();
  numbers_.clear();
  path_ = {cut, at_end, {}, {}, {}, {}, {}};
  decisions_.clear();
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t i = first; i < end; ++i) execute(i);
    decisions_.push_back(round + 1 < rounds || taken);
  }
  const std::uint32_t last = end - 1;
  const LinearOperation& item = block_.operations[last];
  const Control control = effects_[last].control;
  leaves_ = taken && (leaves(control) || control == Control::halt);
  std::uint32_t next = end;
  if (control == Control::branch && taken) {
    leaves_ = item.target == no_label;
    if (!leaves_) next = block_.labels[item.target];
  }
  const auto found = cut_at_.find(next);
  if (!leaves_ && found != cut_at_.end()) path_.to = found->second;
  if (!leaves_ && found == cut_at_.end() && next < block_.operations.size()) {
    return fail(fmt::format("no cut at operation {}", next));
  }
  run_bundles(first, end);
  if (!good()) return;
  if (trapped_) {
    const Hint* hint = block_.hint_at(first);
    if (hint == nullptr || hint->allows(rounds)) {
      fail(fmt::format("{} iterations from operation {} on trap, and are allowed", rounds, first));
    }
    return;
  }
  if (std::string trouble = proof::check_order(block_, trace_); !trouble.empty()) {
    return fail(std::move(trouble));
  }
  if (control == Control::call && taken) clobber();
  paths_.push_back(path_);
}

void Validator::clobber() {
  const auto call = static_cast<Value>(trace_.size() - 1);
  for (Key key = 0; key < machine_registers; ++key) {
    path_.linear[key] = path_.machine[key] = call + static_cast<Value>(key + 1) * 1'000'000;
  }
}

void Validator::execute(std::uint32_t operation) {
  const LinearOperation& item = block_.operations[operation];
  const Effects& effects = effects_[operation];
  Instance instance;
  instance.operation = operation;
  instance.effects = &effects;
  for (const RegisterUse& use : effects.reads()) {
    instance.reads.push_back(linear(path_, linear_key(item, use)));
  }
  const bool partial = item.operation.predicate != 0 || item.operation.negate;
  note_places(item, effects, instance);
  const auto value = static_cast<Value>(trace_.size());
  if (partial && effects.writes) {
    path_.kept[value].first = get(path_.linear, linear_key(item, effects.write));
    if (const auto guard = guard_of(instance)) path_.guards[value] = *guard;
  }
  if (effects.writes) {
    if (effects.write.file == File::s) numbers_[value] = number_written(item, partial, value);
    path_.linear[linear_key(item, effects.write)] = value;
  }
  trace_.push_back(std::move(instance));
}

std::optional<Guard> Validator::guard_of(const Instance& instance) const {
  const auto uses = instance.effects->reads();
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (uses[i].place != predicate_place) continue;
    return Guard{instance.reads[i], block_.operations[instance.operation].operation.negate};
  }
  return std::nullopt;
}

}  // namespace tandem::schedule::proof

namespace tandem::schedule {

std::string validate(const LinearBlock& block, const Result& result, std::uint32_t lanes) {
  if (result.converted.empty()) return proof::Validator(block, result, lanes).run();
  const proof::Predicated made = proof::predicated(block, result);
  if (!made.trouble.empty()) return made.trouble;
  return proof::Validator(made.block, made.result, lanes).run();
}

}  // namespace tandem::schedule
