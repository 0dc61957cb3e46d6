#include "tests/schedule/support.hpp"

#include <random>

namespace tandem::test {

using namespace schedule;  // NOLINT: a test file

LinearOperand LinearText::named(const std::string& name, File file) {
  const auto [found, added] = names_.emplace(name, static_cast<VirtualId>(block.virtuals.size()));
  if (added) block.virtuals.push_back({name, file});
  return {found->second, OperandValue{virtual_placeholder, 0, 0}};
}

Added LinearText::add(Op op, std::initializer_list<LinearOperand> operands) {
  LinearOperation item;
  item.operation.op = op;
  item.tag = static_cast<std::uint32_t>(block.operations.size());
  const Instruction& row = instruction(op);
  auto next = operands.begin();
  for (std::size_t i = 0; i < row.operands.count; ++i) {
    if (next == operands.end()) {
      item.operation.operands[i] = default_value(*row.operands.items[i]);
      continue;
    }
    item.operation.operands[i] = next->value;
    item.registers[i] = next->id;
    ++next;
  }
  block.operations.push_back(item);
  return {&block.operations.back()};
}

LabelId LinearText::label() {
  block.labels.push_back(static_cast<std::uint32_t>(block.operations.size()));
  return static_cast<LabelId>(block.labels.size() - 1);
}

void LinearText::branch_if(const LinearOperand& predicate, LabelId target) {
  const Added added = add(Op::br, {LinearOperand(no_virtual, {})});
  added.item->target = target;
  added.predicate_with(predicate);
}

LinearBlock random_registers(std::uint32_t seed, bool defined) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  LinearText text;
  const auto s = [&] { return text.s("s" + std::to_string(below(defined ? 12 : 30))); };
  const auto v = [&] { return text.v("v" + std::to_string(below(defined ? 20 : 90))); };
  const auto p = [&] { return text.p("p" + std::to_string(below(defined ? 4 : 6))); };
  if (defined) {
    for (int i = 0; i < 12; ++i) text.add(Op::mov, {text.s("s" + std::to_string(i)), i});
    for (int i = 0; i < 20; ++i) text.add(Op::vlane, {text.v("v" + std::to_string(i))});
    for (int i = 0; i < 4; ++i) {
      text.add(Op::eq, {text.p("p" + std::to_string(i)), text.s("s1"), text.s("s2")});
    }
  }
  std::vector<LabelId> labels;
  const std::uint32_t length = 20 + below(80);
  for (std::uint32_t i = 0; i < length; ++i) {
    if (below(8) == 0) labels.push_back(text.label());
    switch (below(6)) {
      case 0: text.add(Op::eq, {p(), s(), s()}); break;
      case 1: text.add(Op::vadd_f32, {v(), v(), v()}); break;
      case 2: text.add(Op::vld, {v(), LinearText::at(0)}); break;
      case 3:
        if (!labels.empty())
          text.branch_if(p(), labels[below(static_cast<std::uint32_t>(labels.size()))]);
        break;
      case 4: text.add(Op::add, {s(), s(), s()}).predicate_with(p(), below(2) == 0); break;
      default: text.add(Op::vst, {LinearText::at(0), v()}); break;
    }
  }
  return text.block;
}

std::vector<std::int32_t> numbers_given(const LinearBlock& block, const Bundled& allocated) {
  std::vector<std::int32_t> numbers(block.virtuals.size(), -1);
  for (std::size_t i = 0; i < block.operations.size(); ++i) {
    const LinearOperation& before = block.operations[i];
    const Operation& after = allocated.operations[i].item.operation;
    for (std::size_t place = 0; place < before.registers.size(); ++place) {
      const VirtualId id = before.registers[place];
      if (id == no_virtual) continue;
      numbers[id] = place == predicate_place ? after.predicate : after.operands[place].value;
    }
  }
  return numbers;
}

}  // namespace tandem::test
