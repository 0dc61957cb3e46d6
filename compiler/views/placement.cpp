#include "compiler/views/placement.hpp"

#include <limits>

#include "compiler/contract/attributes.hpp"
#include "compiler/views/access.hpp"

namespace tandem::compiler {
namespace {

using mlir::memref::AllocOp;

Placement find_buffers(mlir::func::FuncOp function, bool in_vmem) {
  const Lives lives(function);
  Placement result;
  function.walk([&](AllocOp alloc) {
    if (lies_in_vmem(alloc) != in_vmem) return;
    Place place{alloc, lives.of(alloc.getResult()), alloc.getType().getNumElements(), 0, false};
    if (const auto fixed = attribute::address.get(alloc)) {
      place.address = fixed.getInt();
      place.is_fixed = true;
    }
    result.places.push_back(place);
  });
  return result;
}

void place(Placement& placement, std::int64_t alignment) {
  std::int64_t high = 0;
  llvm::SmallVector<Place*> placed;
  const auto add = [&](Place& buffer) {
    high = std::max(high, buffer.address + buffer.words);
    const auto by_address = [](const Place* a, const Place* b) { return a->address < b->address; };
    placed.insert(llvm::upper_bound(placed, &buffer, by_address), &buffer);
  };
  for (Place& buffer : placement.places) {
    if (buffer.is_fixed) add(buffer);
  }
  for (Place& buffer : placement.places) {
    if (buffer.is_fixed) continue;
    for (const Place* other : placed) {
      if (buffer.life.meets(other->life) && buffer.address < other->address + other->words &&
          other->address < buffer.address + buffer.words) {
        buffer.address = (other->address + other->words + alignment - 1) / alignment * alignment;
      }
    }
    add(buffer);
  }
  placement.words = (high + alignment - 1) / alignment * alignment;
}

void stay_after_copies(mlir::func::FuncOp function, Placement& placement) {
  llvm::DenseSet<mlir::Operation*> leave;
  for (auto copy : function.getOps<mlir::memref::CopyOp>()) {
    if (lies_in_vmem(copy.getTarget())) continue;
    if (auto alloc = buffer_behind(copy.getSource()).getDefiningOp<AllocOp>()) leave.insert(alloc);
  }
  for (Place& place : placement.places) {
    if (leave.contains(place.alloc)) place.life.last = std::numeric_limits<std::int64_t>::max();
  }
}

Placement placed_in_vmem(Placement result, const Parameters& machine) {
  llvm::stable_sort(result.places, [](const Place& a, const Place& b) {
    return a.life.last - a.life.first > b.life.last - b.life.first;
  });
  place(result, machine.vector_words());
  return result;
}

}  // namespace

Placement place_in_vmem(mlir::func::FuncOp function, const Parameters& machine) {
  return placed_in_vmem(find_buffers(function, true), machine);
}

Placement place_in_vmem_apart(mlir::func::FuncOp function, const Parameters& machine) {
  Placement buffers = find_buffers(function, true);
  stay_after_copies(function, buffers);
  return placed_in_vmem(std::move(buffers), machine);
}

Placement place_in_hbm(mlir::func::FuncOp function) {
  constexpr std::int64_t alignment = 16;
  Placement result = find_buffers(function, false);
  place(result, alignment);
  return result;
}

}  // namespace tandem::compiler
