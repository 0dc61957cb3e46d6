// The bundles of a path: the operations they execute, on which values, and where control goes.
#include <fmt/format.h>

#include "schedule/proof/validator.hpp"

namespace tandem::schedule::proof {

void Validator::run_bundles(std::uint32_t first, std::uint32_t end) {
  next_instance_.assign(end - first, 0);
  first_ = first;
  length_ = end - first;
  issued_ = 0;
  trapped_ = false;
  std::uint32_t pc = result_.cuts[path_.from].bundle;
  const std::uint32_t goal = path_.to == at_end ? result_.bundles : result_.cuts[path_.to].bundle;
  const std::size_t patience = 4 * trace_.size() + 4 * result_.bundles + 16;
  for (std::uint32_t time = 0; time < patience; ++time) {
    if (pc >= result_.bundles) return fail(fmt::format("runs off the end from cut {}", first));
    const std::optional<std::uint32_t> next = issue_bundle(pc, time);
    if (!good()) return;
    const bool complete = issued_ == trace_.size();
    if (trapped_) return;
    if (!next) {
      if (!complete) fail(fmt::format("bundle {} leaves too early", pc));
      if (!leaves_) fail(fmt::format("bundle {} leaves, the sequence does not", pc));
      return;
    }
    pc = *next;
    if (complete && !leaves_ && pc == goal) return;
  }
  fail(fmt::format("operations from {} on are not all issued, or control goes astray", first));
}

std::optional<std::uint32_t> Validator::issue_bundle(std::uint32_t pc, std::uint32_t time) {
  std::optional<std::uint32_t> next = pc + 1;
  std::vector<std::pair<Key, Value>> writes;
  for (std::uint32_t i = first_issue_[pc]; i < first_issue_[pc + 1]; ++i) {
    const Issue& issue = result_.issues[i];
    const Effects effects = effects_of(issue.operation);
    std::optional<Value> value;
    if (issue.added) {
      value = added(issue, effects, next, writes);
    } else {
      value = matched(issue, effects, time, next);
    }
    if (!good()) return std::nullopt;
    if (!effects.writes) continue;
    const Key key = machine_key(effects.write);
    if ((key == 2 || key == 3) && block_.frame_words + block_.frame_rows != 0) {
      fail("the frame moves");
    }
    for (const auto& [other, unused] : writes) {
      if (other == key) fail(fmt::format("bundle {} writes a register twice", pc));
    }
    writes.emplace_back(key, *value);
  }
  for (const auto& [key, value] : writes) path_.machine[key] = value;
  return next;
}

std::optional<Key> Validator::frame_place(const Operation& operation, const MemoryUse& use) const {
  const OperandValue& at = operation.operands[use.place];
  if (use.space == LocalMemory::smem && at.value == 2) {
    const std::int64_t word = -1 - std::int64_t{at.imm};
    if (word < 0 || word >= block_.frame_words) return std::nullopt;
    return frame_words + static_cast<Key>(word);
  }
  const bool whole = use.units == 8 && use.stride == 1 && use.extent_known && !use.in_words;
  if (use.space != LocalMemory::vmem || at.value != 3 || !whole || at.imm % 8 != 0) {
    return std::nullopt;
  }
  if (at.imm < 0 || at.imm + 8 > std::int64_t{block_.frame_rows}) return std::nullopt;
  return frame_slots + static_cast<Key>(at.imm / 8);
}

bool Validator::takes_part(const Operation& operation) {  // every element of what it names
  const Instruction& row = instruction(operation.op);
  for (std::size_t i = 0; i < row.operands.count; ++i) {
    const OperandValue& value = operation.operands[i];
    const bool mask = row.operands.items[i]->kind == OperandKind::mask;
    if (mask && (value.value != 0 || value.extra != 0)) return false;
  }
  return true;
}

Value Validator::frame_access(const Issue& issue, const Effects& effects,
                              std::vector<std::pair<Key, Value>>& writes) {
  const Operation& operation = issue.operation;
  const bool plain = operation.op == Op::sld || operation.op == Op::sst ||
                     operation.op == Op::vld || operation.op == Op::vst;
  const auto place = frame_place(operation, effects.memory);
  if (!plain || !place || !takes_part(operation)) {
    fail("an access was added that is not of the frame");
    return 0;
  }
  if (!effects.memory.writes) return get(path_.machine, *place);
  // The register that is stored is the one that is not the address.
  for (const RegisterUse& use : effects.reads()) {
    if (use.place == effects.memory.place) continue;
    writes.emplace_back(*place, get(path_.machine, machine_key(use)));
    return 0;
  }
  fail("an added store stores no register");
  return 0;
}

Value Validator::added(const Issue& issue, const Effects& effects,
                       std::optional<std::uint32_t>& next,
                       std::vector<std::pair<Key, Value>>& writes) {
  const Operation& operation = issue.operation;
  const bool always = operation.predicate == 0 && !operation.negate;
  if (always && effects.memory.space != LocalMemory::none) {
    return frame_access(issue, effects, writes);
  }
  if (effects.read_count == 0 && effects.writes && issue.source < effects_.size()) {
    const VirtualId id = written_by(issue.source);
    if (id != no_virtual && remade_[id] &&
        same_operation(block_.operations[issue.source], operation, false)) {
      return first_constant + machine_registers + id;
    }
  }
  if (operation.op == Op::trap && always && operation.operands[0].value == broken_count) {
    trapped_ = true;
    next = std::nullopt;
    return 0;
  }
  if (operation.op == Op::br && always && issue.target != no_label) {
    next = result_.labels[issue.target];
    return 0;
  }
  const bool pair = operation.op == Op::por || operation.op == Op::mor;
  const bool moves = operation.op == Op::mov || operation.op == Op::vmov || pair;
  const bool same = !pair || operation.operands[1] == operation.operands[2];
  const bool plain = operation.operands[1].extra == 0;
  if (!always || !moves || !same || !plain || effects.read_count == 0) {
    fail("an operation was added that is no move");
    return 0;
  }
  return get(path_.machine, machine_key(effects.read_list[0]));
}

Value Validator::matched(const Issue& issue, const Effects& effects, std::uint32_t time,
                         std::optional<std::uint32_t>& next) {
  const std::uint32_t place = issue.source - first_;
  if (issue.source < first_ || place >= length_) {
    fail(fmt::format("operation {} is issued on a path that has none", issue.source));
    return 0;
  }
  const std::size_t number = std::size_t{next_instance_[place]++} * length_ + place;
  if (number >= trace_.size() && is_harmless(issue.source)) return nobodys_value_++;
  if (number >= trace_.size()) {
    fail(fmt::format("operation {} is issued too often", issue.source));
    return 0;
  }
  Instance& instance = trace_[number];
  instance.time = time;
  ++issued_;
  const LinearOperation& item = block_.operations[issue.source];
  const bool branches = effects_[issue.source].control == Control::branch;
  if (!same_operation(item, issue.operation, branches)) {
    fail(fmt::format("operation {} is issued as another", issue.source));
    return 0;
  }
  check_reads(instance, issue, effects);
  const auto kept = path_.kept.find(static_cast<Value>(number));
  if (kept != path_.kept.end()) {
    kept->second.second = get(path_.machine, machine_key(effects.write));
  }
  control(issue, next_instance_[place] - 1U, next);
  const VirtualId id = written_by(issue.source);
  if (id != no_virtual && remade_[id]) return first_constant + machine_registers + id;
  return static_cast<Value>(number);
}

bool Validator::is_harmless(std::uint32_t operation) const {
  const LinearOperation& item = block_.operations[operation];
  return instruction(item.operation.op).group == Group::scalar;
}

bool Validator::same_operation(const LinearOperation& item, const Operation& issued,
                               bool branches) {
  const Operation& wanted = item.operation;
  if (wanted.op != issued.op) return false;
  if (!branches && wanted.negate != issued.negate) return false;
  if (item.registers[predicate_place] == no_virtual && wanted.predicate != issued.predicate) {
    return false;
  }
  const Instruction& row = instruction(wanted.op);
  for (std::size_t i = 0; i < row.operands.count; ++i) {
    OperandValue a = wanted.operands[i];
    OperandValue b = issued.operands[i];
    if (item.registers[i] != no_virtual) {
      const bool accumulator = row.operands.items[i]->kind == OperandKind::accumulator;
      if (accumulator && a.value == 0) a.imm = b.imm = 0;
      if (!accumulator || a.value != 0) a.value = b.value = 0;
    }
    if (!(a == b)) return false;
  }
  return true;
}

void Validator::check_reads(const Instance& instance, const Issue& issue, const Effects& effects) {
  std::vector<Key> keys;
  for (const RegisterUse& use : effects.reads()) keys.push_back(machine_key(use));
  if (keys.size() != instance.reads.size()) {
    return fail(fmt::format("operation {} reads other registers", issue.source));
  }
  const std::optional<Guard> guard = guard_of(instance);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    match(instance.reads[i], get(path_.machine, keys[i]), guard, [&] {
      return fmt::format("operation {} in bundle {} reads another value", issue.source,
                         issue.bundle);
    });
  }
}

template <typename Text>
void Validator::match(Value wanted, Value got, const std::optional<Guard>& reader,
                      const Text& text) {
  if (is_constant(wanted) && got < 0 && path_.from != 0) {
    demands_[path_.from].insert({static_cast<Key>(wanted - first_constant), key_of_initial(got)});
  } else if (wanted >= 0) {
    if (wanted != got) return fail(text());
    const auto kept = path_.kept.find(wanted);
    if (kept == path_.kept.end()) return;
    const auto guard = path_.guards.find(wanted);
    if (reader && guard != path_.guards.end() && guard->second == *reader) return;
    const auto [before, there] = kept->second;
    if (before != wanted) match(before, there, reader, text);
  } else if (got < 0) {
    demands_[path_.from].insert({key_of_initial(wanted), key_of_initial(got)});
  } else {
    path_.undefined.emplace_back(key_of_initial(wanted), text());
  }
}

void Validator::control(const Issue& issue, std::uint32_t occurrence,
                        std::optional<std::uint32_t>& next) {
  const LinearOperation& item = block_.operations[issue.source];
  switch (effects_[issue.source].control) {
    case Control::branch: break;
    case Control::jump:
    case Control::ret:
    case Control::halt:
      if (leaves_) next = std::nullopt;
      return;
    case Control::call:
    case Control::none:
    case Control::trap:
    case Control::idle:
    case Control::marker:
    case Control::unknown: return;
  }
  decided_at_ = issue.bundle;
  const bool inverted = issue.operation.negate != item.operation.negate;
  const bool taken = decisions_[occurrence] != inverted;
  if (!taken) return;
  if (issue.target != no_label) {
    next = result_.labels[issue.target];
  } else {
    if (item.target != no_label) fail("a branch of the block leaves it");
    next = std::nullopt;
  }
}

}  // namespace tandem::schedule::proof
