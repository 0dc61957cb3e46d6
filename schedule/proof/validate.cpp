#include "schedule/proof/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "schedule/proof/bounds.hpp"
#include "schedule/proof/constants.hpp"
#include "schedule/proof/predicated.hpp"
#include "schedule/proof/trace.hpp"

namespace tandem::schedule {
namespace {

using proof::initial;
using proof::Instance;
using proof::Key;
using proof::key_of_initial;
using proof::Number;
using proof::Touched;
using proof::Value;

constexpr std::uint32_t registers_of_file = 64;
constexpr std::uint32_t at_end = ~0U;

std::uint32_t anchor_of(const LinearOperation& item) {
  return item.anchor == number_anchor ? 0 : item.anchor;
}

Key machine_key(const RegisterUse& use) {
  return static_cast<Key>(use.file) * registers_of_file + use.index;
}

using Registers = std::map<Key, Value>;  // those not in it hold what they held at the cut
// Places of the frame hold values as registers do: words, then slots of eight rows.
constexpr Key frame_words = registers_of_file * file_count;
constexpr Key frame_slots = frame_words + (1U << 20U);
// A register that is written once, by a constant of its instruction, has one value throughout.
constexpr Value first_constant = Value{1} << 58U;
constexpr Value last_constant = first_constant + (Value{1} << 32U);

bool is_constant(Value value) { return value >= first_constant && value < last_constant; }

Value get(const Registers& registers, Key key) {
  const auto found = registers.find(key);
  return found == registers.end() ? initial(key) : found->second;
}

// A predicate's value, and which way round: operations of one guard are all done or none.
struct Guard {
  Value predicate = 0;
  bool negate = false;
  bool operator==(const Guard&) const = default;
};

// From a cut to the next, or to where the block is left.
struct Path {
  std::uint32_t from = 0;     // cut
  std::uint32_t to = at_end;  // cut
  Registers linear;           // at its end
  Registers machine;
  std::vector<std::pair<Key, std::string>> undefined;  // fine if nothing can have written these
  // What a result may keep of the register before it, if its operation is predicated: in sequence
  // and on the machine. It has to be the same only where the result is wanted, and only if the
  // operation may not have been done then.
  std::map<Value, std::pair<Value, Value>> kept;
  std::map<Value, Guard> guards;  // of these results
};

using Demand = std::pair<Key, Key>;  // a linear register and the machine's that holds its value

class Validator {
 public:
  Validator(const LinearBlock& block, const Result& result)
      : block_(block), result_(result), constants_(block), bounds_(block, result, constants_) {
    for (const LinearOperation& item : block.operations) {
      effects_.push_back(effects_of(item.operation));
      note_names(item, effects_.back());
    }
    find_remade();
    for (std::uint32_t c = 0; c < result.cuts.size(); ++c) cut_at_[result.cuts[c].operation] = c;
    first_issue_.assign(result.bundles + 1, 0);
    for (const Issue& issue : result.issues) ++first_issue_[issue.bundle + 1];
    for (std::uint32_t b = 0; b < result.bundles; ++b) first_issue_[b + 1] += first_issue_[b];
  }

  std::string run() {
    if (result_.cuts.empty() || result_.cuts[0].operation != 0 || result_.cuts[0].bundle != 0) {
      return "the first cut is not the beginning";
    }
    for (std::uint32_t cut = 0; cut < result_.cuts.size() && good(); ++cut) follow(cut);
    if (good()) settle();
    return trouble_;
  }

 private:
  [[nodiscard]] bool good() const { return trouble_.empty(); }
  void fail(std::string text) {
    if (good()) trouble_ = std::move(text);
  }

  [[nodiscard]] Key linear_key(const LinearOperation& item, const RegisterUse& use) const {
    const VirtualId id = item.registers[use.place];
    if (id != no_virtual) return machine_registers + id;
    return machine_key(use);
  }
  static constexpr Key machine_registers = registers_of_file * file_count;

  void note_names(const LinearOperation& item, const Effects& effects) {
    const auto note = [&](const RegisterUse& use) {
      if (item.registers[use.place] == no_virtual) named_.insert(machine_key(use));
    };
    for (const RegisterUse& use : effects.reads()) note(use);
    if (effects.writes) note(effects.write);
  }

  // Registers whose constant some operation was added to make anew.
  void find_remade() {
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
  [[nodiscard]] VirtualId written_by(std::uint32_t operation) const {
    const Effects& effects = effects_[operation];
    if (!effects.writes) return no_virtual;
    return block_.operations[operation].registers[effects.write.place];
  }
  [[nodiscard]] bool is_remade(Key key) const {
    return key >= machine_registers && remade_[key - machine_registers];
  }
  // What a register of the sequence holds.
  [[nodiscard]] Value linear(const Path& path, Key key) const {
    return is_remade(key) ? first_constant + key : get(path.linear, key);
  }

  // ---- the sequence ---------------------------------------------------------------------------

  void follow(std::uint32_t cut) {
    const std::uint32_t first = result_.cuts[cut].operation;
    std::uint32_t end = first + 1;
    while (end < block_.operations.size() && cut_at_.count(end) == 0) ++end;
    for (std::uint32_t i = first; i + 1 < end; ++i) {
      if (passes_control(i)) return fail(fmt::format("no cut behind operation {}", i));
    }
    const std::uint32_t last = end - 1;
    const LinearOperation& branch = block_.operations[last];
    const bool conditional = branch.operation.predicate != 0 || branch.operation.negate;
    const bool to_itself = branch.target != no_label && block_.labels[branch.target] == first;
    const std::uint32_t issues = issues_of(last);
    if (to_itself && issues > 1) {
      for (std::uint32_t rounds = 1; rounds <= 2 * issues + 1 && good(); ++rounds) {
        walk(cut, first, end, rounds, false);
      }
      return;
    }
    if (passes_control(last)) walk(cut, first, end, 1, true);
    if (!passes_control(last) || conditional) walk(cut, first, end, 1, false);
  }
  [[nodiscard]] bool passes_control(std::uint32_t operation) const {
    return ends_block(effects_[operation].control);
  }
  [[nodiscard]] std::uint32_t issues_of(std::uint32_t operation) const {
    return static_cast<std::uint32_t>(std::count_if(
        result_.issues.begin(), result_.issues.end(),
        [&](const Issue& issue) { return issue.source == operation && !issue.added; }));
  }

  // `rounds` times the operations first .. end - 1, whose last branches back each time but the
  // last, and then as `taken` says.
  void walk(std::uint32_t cut, std::uint32_t first, std::uint32_t end, std::uint32_t rounds,
            bool taken) {
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
    if (std::string trouble = proof::check_order(block_, trace_); !trouble.empty()) {
      return fail(std::move(trouble));
    }
    if (control == Control::call && taken) clobber();
    paths_.push_back(path_);
  }

  // Both sides come back with registers that only the callee knows.
  void clobber() {
    const auto call = static_cast<Value>(trace_.size() - 1);
    for (Key key = 0; key < machine_registers; ++key) {
      path_.linear[key] = path_.machine[key] = call + static_cast<Value>(key + 1) * 1'000'000;
    }
  }

  void execute(std::uint32_t operation) {
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

  [[nodiscard]] std::optional<Guard> guard_of(const Instance& instance) const {
    const auto uses = instance.effects->reads();
    for (std::size_t i = 0; i < uses.size(); ++i) {
      if (uses[i].place != predicate_place) continue;
      return Guard{instance.reads[i], block_.operations[instance.operation].operation.negate};
    }
    return std::nullopt;
  }

  // ---- addresses ------------------------------------------------------------------------------

  [[nodiscard]] Number number_of(Value value) const {
    if (value >= 0) {
      const auto found = numbers_.find(value);
      return found == numbers_.end() ? Number{value, 0, 0} : found->second;
    }
    const Key key = key_of_initial(value);
    if (key >= machine_registers) {
      if (const auto known = constants_.find(key - machine_registers)) {
        return {
            known->root == no_virtual ? Number::no_base : initial(machine_registers + known->root),
            known->anchor, known->offset};
      }
    }
    return {value, 0, 0};
  }
  [[nodiscard]] Number scalar(const LinearOperation& item, std::uint8_t place) const {
    const OperandValue& value = item.operation.operands[place];
    const Operand& operand = *instruction(item.operation.op).operands.items[place];
    if (operand.kind == OperandKind::scalar_imm && value.extra != 0) {
      if (is_anchored(item, place)) return {Number::no_base, anchor_of(item), item.anchor_offset};
      return {Number::no_base, 0, value.imm};
    }
    const VirtualId id = item.registers[place];
    const bool is_scalar = id == no_virtual || block_.virtuals[id].file == File::s;
    if (!is_scalar || (id == no_virtual && value.value == 0)) return {};
    return number_of(get(
        path_.linear, id == no_virtual ? static_cast<Key>(value.value) : machine_registers + id));
  }
  [[nodiscard]] Number number_written(const LinearOperation& item, bool partial,
                                      Value value) const {
    const Number unknown{value, 0, 0};
    if (partial) return unknown;
    if (item.operation.op == Op::mov) return scalar(item, 1);
    const bool adds = item.operation.op == Op::add || item.operation.op == Op::sub;
    if (!adds) return unknown;
    Number a = scalar(item, 1);
    Number b = scalar(item, 2);
    if (item.operation.op == Op::add && a.base == Number::no_base) std::swap(a, b);
    if (b.base != Number::no_base || (b.anchor != 0 && a.anchor != 0)) return unknown;
    if (item.operation.op == Op::sub && b.anchor != 0) return unknown;
    const std::int64_t offset = item.operation.op == Op::add ? b.offset : -b.offset;
    return {a.base, std::max(a.anchor, b.anchor), a.offset + offset};
  }
  [[nodiscard]] std::optional<Number> address(const LinearOperation& item,
                                              std::uint8_t place) const {
    Number at = scalar(item, place);
    const OperandValue& value = item.operation.operands[place];
    const Operand& operand = *instruction(item.operation.op).operands.items[place];
    if (is_anchored(item, place)) {
      if (at.anchor != 0 && anchor_of(item) != 0) return std::nullopt;
      at.anchor = std::max(at.anchor, anchor_of(item));
      at.offset += item.anchor_offset;
    } else {
      at.offset += value.imm * std::int64_t{operand.kind == OperandKind::descriptor ? 16 : 1};
    }
    return at;
  }

  void note_places(const LinearOperation& item, const Effects& effects, Instance& instance) {
    const Instruction& row = instruction(item.operation.op);
    for (std::uint8_t place = 0; place < row.operands.count; ++place) {
      const Operand& operand = *row.operands.items[place];
      const VirtualId id = item.registers[place];
      if (operand.kind == OperandKind::weight_row) instance.row = address(item, place);
      if (operand.kind == OperandKind::descriptor) {
        add_place(item, instance, {LocalMemory::smem, false, true, {}, 16, 1}, place);
      }
      if (operand.kind != OperandKind::accumulator) continue;
      if (id != no_virtual && block_.virtuals[id].file == File::a) continue;
      const bool writes = operand.access == Access::write;
      add_place(item, instance, {LocalMemory::none, writes, true, {}, 1, 1}, place);
    }
    const MemoryUse& use = effects.memory;
    if (use.space == LocalMemory::none) return;
    const bool exact = use.extent_known && !use.in_words;
    add_place(item, instance, {use.space, use.writes, exact, {}, use.units, use.stride}, use.place);
  }
  void add_place(const LinearOperation& item, Instance& instance, Touched touched,
                 std::uint8_t place) {
    const auto at = address(item, place);
    if (touched.exact) {
      touched.hull = bounds_.touched(instance.operation, place, touched.units, touched.stride);
      const VirtualId id = item.registers[place];
      if (touched.space != LocalMemory::none) touched.through = id;
    }
    touched.exact = touched.exact && at.has_value();
    if (at) touched.at = *at;
    instance.touched.push_back(touched);
  }

  // ---- the bundles ----------------------------------------------------------------------------

  void run_bundles(std::uint32_t first, std::uint32_t end) {
    next_instance_.assign(end - first, 0);
    first_ = first;
    length_ = end - first;
    issued_ = 0;
    std::uint32_t pc = result_.cuts[path_.from].bundle;
    const std::uint32_t goal = path_.to == at_end ? result_.bundles : result_.cuts[path_.to].bundle;
    const std::size_t patience = 4 * trace_.size() + 4 * result_.bundles + 16;
    for (std::uint32_t time = 0; time < patience; ++time) {
      if (pc >= result_.bundles) return fail(fmt::format("runs off the end from cut {}", first));
      const std::optional<std::uint32_t> next = issue_bundle(pc, time);
      if (!good()) return;
      const bool complete = issued_ == trace_.size();
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

  // The next bundle, or none where the block is left.
  std::optional<std::uint32_t> issue_bundle(std::uint32_t pc, std::uint32_t time) {
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

  // The place of the frame that an operation accesses as a whole, if it is one of the block's own.
  [[nodiscard]] std::optional<Key> frame_place(const Operation& operation,
                                               const MemoryUse& use) const {
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
  static bool takes_part(const Operation& operation) {  // every element of what it names
    const Instruction& row = instruction(operation.op);
    for (std::size_t i = 0; i < row.operands.count; ++i) {
      const OperandValue& value = operation.operands[i];
      const bool mask = row.operands.items[i]->kind == OperandKind::mask;
      if (mask && (value.value != 0 || value.extra != 0)) return false;
    }
    return true;
  }

  Value frame_access(const Issue& issue, const Effects& effects,
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

  // A jump, a move that passes a value on, an access of the frame, or a constant made anew.
  Value added(const Issue& issue, const Effects& effects, std::optional<std::uint32_t>& next,
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

  Value matched(const Issue& issue, const Effects& effects, std::uint32_t time,
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

  // Done for an iteration that does not exist it only writes a register, with a value that nothing
  // in the sequence has.
  [[nodiscard]] bool is_harmless(std::uint32_t operation) const {
    const LinearOperation& item = block_.operations[operation];
    return instruction(item.operation.op).group == Group::scalar;
  }

  static bool same_operation(const LinearOperation& item, const Operation& issued, bool branches) {
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

  void check_reads(const Instance& instance, const Issue& issue, const Effects& effects) {
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

  // What the sequence has and what the machine has there must be the same, for a reader under this
  // guard: what a result of the same guard may have kept is nothing that it ever reads.
  template <typename Text>
  void match(Value wanted, Value got, const std::optional<Guard>& reader, const Text& text) {
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

  void control(const Issue& issue, std::uint32_t occurrence, std::optional<std::uint32_t>& next) {
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

  // ---- from cut to cut ------------------------------------------------------------------------

  void settle() {
    find_written();
    for (const Path& path : paths_) {
      for (const auto& [key, text] : path.undefined) {
        if (may_be_written(path.from, key)) return fail(text);
      }
      if (path.to == at_end) {
        for (const Key key : named_) {
          demand(path, {key, key});
          if (!good()) return;
        }
      }
    }
    for (bool changed = true; changed && good();) {
      changed = false;
      for (const Path& path : paths_) {
        if (path.to == at_end) continue;
        const std::set<Demand> wanted = demands_[path.to];
        const std::size_t before = demands_[path.from].size();
        for (const Demand& item : wanted) demand(path, item);
        changed = changed || demands_[path.from].size() != before;
      }
    }
  }

  void demand(const Path& path, const Demand& item) {
    require(path, linear(path, item.first), get(path.machine, item.second), item);
  }
  void require(const Path& path, Value wanted, Value got, const Demand& item) {
    const auto text = [&] {
      return fmt::format("from operation {} to {}: register {} does not hold {}",
                         result_.cuts[path.from].operation,
                         path.to == at_end ? std::string("the end")
                                           : fmt::format("{}", result_.cuts[path.to].operation),
                         item.second, name_of(item.first));
    };
    if (is_constant(wanted) && got < 0 && path.from != 0) {
      demands_[path.from].insert({static_cast<Key>(wanted - first_constant), key_of_initial(got)});
    } else if (wanted >= 0) {
      if (wanted != got) return fail(text());
      const auto kept = path.kept.find(wanted);
      if (kept != path.kept.end()) require(path, kept->second.first, kept->second.second, item);
    } else if (got < 0) {
      demands_[path.from].insert({key_of_initial(wanted), key_of_initial(got)});
      // At the very beginning a register by number is itself, and a virtual one is nothing yet.
      const Key key = key_of_initial(wanted);
      const bool named = key < machine_registers;
      if (path.from == 0 && named && key != key_of_initial(got)) fail(text());
    } else if (may_be_written(path.from, key_of_initial(wanted))) {
      fail(text());
    }
  }
  [[nodiscard]] std::string name_of(Key key) const {
    if (key >= machine_registers) return "%" + block_.virtuals[key - machine_registers].name;
    return fmt::format("{}{}", file_letter(static_cast<File>(key / registers_of_file)),
                       key % registers_of_file);
  }

  // Which virtual registers some path to each cut may have written.
  void find_written() {
    written_.resize(result_.cuts.size());
    for (bool changed = true; changed;) {
      changed = false;
      for (const Path& path : paths_) {
        if (path.to == at_end) continue;
        std::set<Key>& to = written_[path.to];
        const std::size_t before = to.size();
        to.insert(written_[path.from].begin(), written_[path.from].end());
        for (const auto& [key, value] : path.linear) to.insert(key);
        changed = changed || to.size() != before;
      }
    }
  }
  [[nodiscard]] bool may_be_written(std::uint32_t cut, Key key) const {
    return key < machine_registers || written_[cut].count(key) != 0;
  }

  const LinearBlock& block_;
  const Result& result_;
  proof::Constants constants_;
  proof::Bounds bounds_;
  std::vector<Effects> effects_;
  std::vector<bool> remade_;                       // see find_remade()
  std::set<Key> named_;                            // registers that the block names by number
  std::map<std::uint32_t, std::uint32_t> cut_at_;  // operation: cut
  std::vector<std::uint32_t> first_issue_;         // by bundle
  std::string trouble_;

  // The path at hand.
  Path path_;
  std::vector<Instance> trace_;
  std::map<Value, Number> numbers_;  // of scalar results
  std::vector<bool> decisions_;      // of the last operation, round by round
  bool leaves_ = false;
  std::uint32_t first_ = 0, length_ = 0;
  std::vector<std::uint32_t> next_instance_;
  std::size_t issued_ = 0;
  Value nobodys_value_ = Value{1} << 60U;

  std::vector<Path> paths_;
  std::map<std::uint32_t, std::set<Demand>> demands_;  // by cut
  std::vector<std::set<Key>> written_;                 // by cut
};

}  // namespace

std::string validate(const LinearBlock& block, const Result& result) {
  if (result.converted.empty()) return Validator(block, result).run();
  const proof::Predicated made = proof::predicated(block, result);
  if (!made.trouble.empty()) return made.trouble;
  return Validator(made.block, made.result).run();
}

}  // namespace tandem::schedule
