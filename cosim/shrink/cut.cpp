#include "cosim/shrink/cut.hpp"

#include <algorithm>

#include "isa/analysis/effects.hpp"

namespace tandem {
namespace {

bool jumps_by_register(const Object& program) {
  for (const Bundle& bundle : program.text) {
    const auto operation = decode(Slot::sa, slot_bits(bundle, Slot::sa));
    if (operation && leaves(effects_of(*operation).control)) return true;
  }
  return false;
}

// Targets of branches and, if wanted, constants of operations without a second source.
template <typename Change>
void change_targets(Object& program, bool constants, Change change) {
  for (Bundle& bundle : program.text) {
    for (const Slot slot : {Slot::sa, Slot::sb}) {
      const auto found = decode(slot, slot_bits(bundle, slot));
      if (!found) continue;
      Operation operation = *found;
      const OperandList& operands = instruction(operation.op).operands;
      for (std::size_t i = 0; i < operands.count; ++i) {
        OperandValue& value = operation.operands[i];
        const Operand& operand = *operands.items[i];
        if (operand.kind == OperandKind::target) value.value = change(value.value);
        const bool loads =
            constants && operands.count == 2 && selects_constant(operand, value.extra);
        if (loads) value.imm = change(value.imm);
      }
      set_slot_bits(bundle, slot, encode(operation));
    }
  }
}

void add_if_new(std::vector<Operation>& list, const Operation& from, const Operation& candidate) {
  if (!(candidate == from)) list.push_back(candidate);
}

}  // namespace

std::vector<std::uint32_t> filled_bundles(const Object& program) {
  std::vector<std::uint32_t> list;
  for (std::uint32_t pc = 0; pc < program.text.size(); ++pc) {
    if (program.text[pc] != Bundle{}) list.push_back(pc);
  }
  return list;
}

std::vector<Spot> filled_slots(const Object& program) {
  std::vector<Spot> list;
  for (const std::uint32_t pc : filled_bundles(program)) {
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
      const auto which = static_cast<Slot>(slot);
      if (!is_empty(slot_bits(program.text[pc], which))) list.push_back({pc, which});
    }
  }
  return list;
}

void blank(Object& program, std::uint32_t pc) { program.text[pc] = Bundle{}; }
void blank(Object& program, const Spot& spot) {
  set_slot_bits(program.text[spot.pc], spot.slot, 0);
}
void put(Object& program, const Spot& spot, const Operation& operation) {
  set_slot_bits(program.text[spot.pc], spot.slot, encode(operation));
}

std::vector<Operation> simpler(const Object& program, const Spot& spot) {
  const auto operation = decode(spot.slot, slot_bits(program.text[spot.pc], spot.slot));
  if (!operation) return {};
  std::vector<Operation> list;
  Operation plain = *operation;
  plain.predicate = 0;
  plain.negate = false;
  add_if_new(list, *operation, plain);
  const OperandList& operands = instruction(operation->op).operands;
  for (std::size_t i = 0; i < operands.count; ++i) {
    Operation usual = *operation;
    usual.operands[i] = default_value(*operands.items[i]);
    if (fits(*operands.items[i], usual.operands[i])) add_if_new(list, *operation, usual);
    Operation zero = *operation;
    zero.operands[i].imm = 0;
    add_if_new(list, *operation, zero);
  }
  return list;
}

Object without_bundles(const Object& program, const std::vector<bool>& drop, bool constants) {
  Object smaller = program;
  smaller.text.clear();
  std::vector<std::uint32_t> moved;  // new place of each bundle, and of the end
  for (std::size_t pc = 0; pc < program.text.size(); ++pc) {
    moved.push_back(static_cast<std::uint32_t>(smaller.text.size()));
    if (!drop[pc]) smaller.text.push_back(program.text[pc]);
  }
  moved.push_back(static_cast<std::uint32_t>(smaller.text.size()));
  const auto place = [&moved](std::int32_t pc) {
    const auto number = static_cast<std::uint32_t>(pc);
    return number < moved.size() ? static_cast<std::int32_t>(moved[number]) : pc;
  };
  change_targets(smaller, constants && jumps_by_register(program), place);
  if (program.entry_pc)
    smaller.entry_pc =
        static_cast<std::uint32_t>(place(static_cast<std::int32_t>(*program.entry_pc)));
  smaller.source = {};
  for (Symbol& symbol : smaller.symbols) {
    if (symbol.place == Place::text) {
      symbol.value = static_cast<std::uint32_t>(place(static_cast<std::int32_t>(symbol.value)));
    }
  }
  return smaller;
}

namespace {

// With few elements every stretch of neighbours is tried too: a copy and its wait can only be
// removed together.
constexpr std::size_t few = 64;
constexpr std::size_t longest_stretch = 32;

std::vector<std::size_t> left_of(const std::vector<bool>& removed) {
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < removed.size(); ++i) {
    if (!removed[i]) left.push_back(i);
  }
  return left;
}

// Whether one could be removed.
bool remove_stretch(std::vector<bool>& removed,
                    const std::function<bool(const std::vector<bool>&)>& attempt,
                    const std::function<bool()>& over) {
  const std::vector<std::size_t> left = left_of(removed);
  if (left.size() > few) return false;
  for (std::size_t length = std::min(longest_stretch, left.size()); length >= 2; --length) {
    for (std::size_t begin = 0; begin + length <= left.size(); ++begin) {
      if (over()) return false;
      std::vector<bool> more = removed;
      for (std::size_t i = begin; i < begin + length; ++i) more[left[i]] = true;
      if (!attempt(more)) continue;
      removed = std::move(more);
      return true;
    }
  }
  return false;
}

}  // namespace

void reduce(std::size_t count, const std::function<bool(const std::vector<bool>& removed)>& attempt,
            const std::function<bool()>& over) {
  std::vector<bool> removed(count);
  std::size_t chunk = count;
  while (chunk != 0 && !over()) {
    bool any = false;
    for (std::size_t begin = 0; begin < count && !over(); begin += chunk) {
      std::vector<bool> more = removed;
      std::fill(more.begin() + static_cast<std::ptrdiff_t>(begin),
                more.begin() + static_cast<std::ptrdiff_t>(std::min(count, begin + chunk)), true);
      if (more == removed || !attempt(more)) continue;
      removed = std::move(more);
      any = true;
    }
    if (chunk != 1 || !any) chunk /= 2;
    if (chunk == 0 && remove_stretch(removed, attempt, over)) chunk = 1;
  }
}

}  // namespace tandem
