#include "isa/golden/order.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace tandem::golden {
namespace {

// Registers by file (RegisterFile) and number, and VMEM, which the load of a bundle reads before
// its store writes.
struct Registers {
  std::array<std::uint64_t, 4> files{};
  bool vmem = false;

  void add(RegisterFile file, std::uint32_t number) {
    files[static_cast<std::size_t>(file)] |= std::uint64_t{1} << number;
  }
  [[nodiscard]] bool intersects(const Registers& other) const {
    if (vmem && other.vmem) return true;
    for (std::size_t file = 0; file < files.size(); ++file) {
      if ((files[file] & other.files[file]) != 0) return true;
    }
    return false;
  }
};

Registers reads_of(const OrderedOperation& item) {
  Registers reads;
  const Instruction& row = instruction(item.operation.op);
  // Checks capture every source of these.
  if (row.group == Group::control || row.group == Group::dma) return reads;
  for (std::size_t i = 0; i < row.operands.count; ++i) {
    const Operand& operand = *row.operands.items[i];
    // Scalars of addresses are captured by the checks, before anything is written.
    if (is_address(operand.kind)) continue;
    const auto name = source(operand, item.operation.operands[i]);
    if (name) reads.add(name->file, name->index);
  }
  reads.vmem = row.group == Group::load;
  return reads;
}

Registers writes_of(const OrderedOperation& item) {
  Registers writes;
  if (const auto name = destination(item.operation)) writes.add(name->file, name->index);
  writes.vmem = instruction(item.operation.op).group == Group::store;
  return writes;
}

struct Item {
  OrderedOperation operation;
  Registers reads;
  Registers writes;
};

// Whether no other operation still has to read what this one writes.
bool is_free(const Item& item, const std::vector<Item>& waiting) {
  // A copy starts after everything else.
  if (item.operation.slot == Slot::dma && waiting.size() > 1) return false;
  return std::none_of(waiting.begin(), waiting.end(), [&item](const Item& other) {
    return &other != &item && item.writes.intersects(other.reads);
  });
}

}  // namespace

void order_operations(std::vector<OrderedOperation>& operations) {
  std::vector<Item> waiting;
  waiting.reserve(operations.size());
  for (const OrderedOperation& item : operations) {
    waiting.push_back({item, reads_of(item), writes_of(item)});
  }
  operations.clear();
  while (!waiting.empty()) {
    auto next = std::find_if(waiting.begin(), waiting.end(),
                             [&waiting](const Item& item) { return is_free(item, waiting); });
    if (next == waiting.end()) {
      // A cycle without a store in it: only a load reads what a store writes, and a load has a
      // register to stage.
      next = std::find_if(waiting.begin(), waiting.end(), [](const Item& item) {
        return destination(item.operation.operation).has_value();
      });
      next->operation.staged = true;
    }
    operations.push_back(next->operation);
    waiting.erase(next);
  }
}

}  // namespace tandem::golden
