#include "compiler/tpu/touches.hpp"

#include <fmt/format.h>

#include "compiler/contract/attributes.hpp"
#include "compiler/contract/places.hpp"
#include "compiler/views/access.hpp"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;

mlir::Attribute entry(mlir::Builder& builder, BufferKind kind, std::int64_t first,
                      std::int64_t words, llvm::StringRef name) {
  mlir::NamedAttrList list;
  list.set("kind", builder.getStringAttr(llvm::StringRef(buffer_kind_name(kind))));
  list.set("first", builder.getI64IntegerAttr(first));
  list.set("words", builder.getI64IntegerAttr(words));
  list.set("name", builder.getStringAttr(name));
  return list.getDictionary(builder.getContext());
}

// The creator of the buffer; for one that the compiler has added, its first user.
std::string name_of(memref::AllocOp alloc) {
  llvm::SmallVector<mlir::Operation*> left{alloc};
  for (std::size_t next = 0; next < left.size(); ++next) {
    if (std::string name = maker_of(left[next]); !name.empty()) return name;
    if (next != 0 && !mlir::isa<mlir::ViewLikeOpInterface>(left[next])) continue;
    // Users are in the reverse order of the text.
    llvm::SmallVector<mlir::Operation*> users(left[next]->getUsers());
    left.append(users.rbegin(), users.rend());
  }
  return "";
}

// The last operand of a call of a kernel is its memory.
BufferKind kind_of(memref::AllocOp alloc) {
  if (!lies_in_vmem(alloc.getResult())) return BufferKind::hbm;
  const bool is_scratch = llvm::any_of(alloc->getUses(), [](mlir::OpOperand& use) {
    return mlir::isa<mlir::func::CallOp>(use.getOwner()) &&
           use.getOperandNumber() + 1 == use.getOwner()->getNumOperands();
  });
  return is_scratch ? BufferKind::scratch : BufferKind::vmem;
}

// What with_touch() has put there: its own touch, then those of what is given.
llvm::SmallVector<Touch> touches_in(mlir::Location loc) {
  const auto fused = mlir::dyn_cast<mlir::FusedLoc>(loc);
  const auto numbers =
      fused ? mlir::dyn_cast_or_null<mlir::DenseI64ArrayAttr>(fused.getMetadata()) : nullptr;
  llvm::SmallVector<Touch> touches;
  for (std::int64_t i = 0; numbers && i + 1 < numbers.size(); i += 2) {
    touches.push_back({static_cast<BufferId>(numbers[i]), static_cast<BufferId>(numbers[i + 1])});
  }
  return touches;
}

}  // namespace

mlir::Location with_touch(mlir::Location loc, const Touch& touch, llvm::ArrayRef<Touch> given) {
  if (touch.reads == no_buffer && touch.writes == no_buffer && given.empty()) return loc;
  llvm::SmallVector<std::int64_t> numbers{touch.reads, touch.writes};
  for (const Touch& other : given) numbers.append({other.reads, other.writes});
  return mlir::FusedLoc::get(loc.getContext(), {loc},
                             mlir::Builder(loc.getContext()).getDenseI64ArrayAttr(numbers));
}

Touch touch_of(mlir::Location loc) {
  const auto touches = touches_in(loc);
  return touches.empty() ? Touch() : touches.front();
}

llvm::SmallVector<Touch> given_of(mlir::Location loc) {
  auto touches = touches_in(loc);
  if (!touches.empty()) touches.erase(touches.begin());
  return touches;
}

BufferNumbers::BufferNumbers(mlir::func::FuncOp function) {
  mlir::Builder builder(function.getContext());
  llvm::SmallVector<mlir::Attribute> entries;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    const auto name = attribute::name.get(function, i);
    entries.push_back(
        entry(builder, BufferKind::tensor, 0, 0, name ? name.getValue() : llvm::StringRef()));
  }
  std::int64_t words = 0;
  for (auto global : function->getParentOfType<mlir::ModuleOp>().getOps<memref::GlobalOp>()) {
    const std::int64_t size = std::max<std::int64_t>(1, global.getType().getNumElements());
    entries.push_back(entry(builder, BufferKind::constant, words, size, global.getSymName()));
    constants_[global.getSymNameAttr()] = static_cast<BufferId>(entries.size());
    words += size;
  }
  function.walk([&](memref::AllocOp alloc) {
    const auto address = attribute::address.get(alloc);
    entries.push_back(entry(builder, kind_of(alloc), address ? address.getInt() : 0,
                            alloc.getType().getNumElements(), name_of(alloc)));
    allocations_[alloc] = static_cast<BufferId>(entries.size());
  });
  attribute::buffers.set(function, entries);
}

BufferId BufferNumbers::of(mlir::Value buffer) {
  const Origins::Answer& origins = origins_.of(buffer);
  if (origins.unknown || origins.allocations.size() + origins.others.size() != 1) return no_buffer;
  if (!origins.allocations.empty()) return allocations_.lookup(origins.allocations.front());
  const mlir::Value other = origins.others.front();
  if (const auto argument = mlir::dyn_cast<mlir::BlockArgument>(other)) {
    return argument.getArgNumber() + 1;
  }
  auto constant = mlir::cast<memref::GetGlobalOp>(other.getDefiningOp());
  return constants_.lookup(constant.getNameAttr().getAttr());
}

std::vector<PlannedBuffer> buffers_of(mlir::func::FuncOp function) {
  std::vector<PlannedBuffer> buffers;
  const auto entries = attribute::buffers.get(function);
  if (!entries) return buffers;
  for (const auto entry : entries.getAsRange<mlir::DictionaryAttr>()) {
    const auto number = [&](llvm::StringRef name) {
      const auto given = entry.getAs<mlir::IntegerAttr>(name);
      return static_cast<std::uint64_t>(given ? given.getInt() : 0);
    };
    const auto text = [&](llvm::StringRef name) {
      const auto given = entry.getAs<mlir::StringAttr>(name);
      return given ? given.getValue().str() : std::string();
    };
    buffers.push_back({find_buffer_kind(text("kind")).value_or(BufferKind::hbm), number("first"),
                       number("words"), text("name")});
  }
  return buffers;
}

}  // namespace tandem::compiler
