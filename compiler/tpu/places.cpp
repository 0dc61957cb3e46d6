#include "compiler/contract/attributes.hpp"
#include "compiler/tpu/dialect.hpp"
#include "compiler/tpu/memory.hpp"
#include "compiler/tpu/smem_layout.hpp"
#include "compiler/tpu/tiles.hpp"
#include "compiler/views/access.hpp"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace tandem::compiler {

namespace memref = mlir::memref;

// The number of pairs of flags of exchanges.
static std::size_t exchange_pairs(mlir::func::FuncOp function) {
  std::int64_t pairs = 0;
  for (auto each : function->getParentOfType<mlir::ModuleOp>().getOps<mlir::func::FuncOp>()) {
    const auto number = attribute::exchange.get(each);
    if (number) pairs = std::max(pairs, number.getInt() + 1);
  }
  return static_cast<std::size_t>(pairs);
}

Memory::Memory(mlir::func::FuncOp function, const Parameters& machine)
    : machine_(machine),
      smem_(function.getNumArguments()),
      numbers_(function),
      in_flight_(machine.lanes, exchange_pairs(function)) {
  std::int64_t words = 0;
  for (auto global : function->getParentOfType<mlir::ModuleOp>().getOps<memref::GlobalOp>()) {
    globals_[global.getSymName()] = words;
    words += std::max<std::int64_t>(1, global.getType().getNumElements());
  }
}

mlir::FailureOr<Place> Memory::place_of(mlir::Value buffer) {
  auto place = find_place(buffer);
  if (mlir::succeeded(place)) place->buffer = numbers_.of(buffer);
  return place;
}

mlir::FailureOr<Place> Memory::find_place(mlir::Value buffer) {
  mlir::Builder builder(buffer.getContext());
  if (const auto argument = mlir::dyn_cast<mlir::BlockArgument>(buffer)) {
    if (mlir::isa<mlir::func::FuncOp>(argument.getOwner()->getParentOp())) {
      return Place{Space::hbm, SmemLayout::base_of(argument.getArgNumber()), 0,
                   builder.getIndexAttr(0)};
    }
    return mlir::emitError(buffer.getLoc(), "internal: a loop carries a buffer");
  }
  mlir::Operation* op = buffer.getDefiningOp();
  if (auto alloc = mlir::dyn_cast<memref::AllocOp>(op)) {
    const auto address = attribute::address.get(alloc);
    if (!address) return op->emitError("internal: a buffer without an address");
    const Space space = lies_in_vmem(alloc.getResult()) ? Space::vmem : Space::hbm;
    return Place{space, smem_.temporaries, address.getInt(), builder.getIndexAttr(0)};
  }
  if (auto global = mlir::dyn_cast<memref::GetGlobalOp>(op)) {
    return Place{Space::hbm, smem_.constants, globals_.lookup(global.getName()),
                 builder.getIndexAttr(0)};
  }
  if (auto view = mlir::dyn_cast<memref::ReinterpretCastOp>(op)) {
    auto place = find_place(view.getSource());
    // The offset counts from the buffer, not from the source.
    if (mlir::succeeded(place)) place->offset = view.getMixedOffsets().front();
    return place;
  }
  if (mlir::isa<memref::CollapseShapeOp, memref::ExpandShapeOp, memref::CastOp,
                mlir::UnrealizedConversionCastOp>(op)) {
    return find_place(op->getOperand(0));
  }
  return op->emitError("internal: ") << op->getName() << " is no view that has a place";
}

namespace {

// A number of words in whole rows, without a shift where it is a product; the sum of all remainders
// is less than a row. Null where there is no such form.
mlir::Value rows_of(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value words,
                    std::int64_t lanes) {
  namespace arith = mlir::arith;
  if (const auto number = mlir::getConstantIntValue(words)) {
    const std::int64_t rest = (*number % lanes + lanes) % lanes;
    return arith::ConstantIndexOp::create(builder, loc, (*number - rest) / lanes);
  }
  if (auto product = words.getDefiningOp<arith::MulIOp>()) {
    const auto factor = mlir::getConstantIntValue(product.getRhs());
    if (!factor || *factor % lanes != 0) return {};
    if (*factor == lanes) return product.getLhs();
    const mlir::Value rows = arith::ConstantIndexOp::create(builder, loc, *factor / lanes);
    return arith::MulIOp::create(builder, loc, product.getLhs(), rows);
  }
  auto sum = words.getDefiningOp<arith::AddIOp>();
  if (!sum) return {};
  // Two remainders could make a row together.
  const auto rest = [&](mlir::Value value) { return remainder_of(value, lanes); };
  if (rest(sum.getLhs()) != 0 && rest(sum.getRhs()) != 0) return {};
  const mlir::Value left = rows_of(builder, loc, sum.getLhs(), lanes);
  const mlir::Value right = left ? rows_of(builder, loc, sum.getRhs(), lanes) : mlir::Value();
  return right ? arith::AddIOp::create(builder, loc, left, right).getResult() : mlir::Value();
}

}  // namespace

mlir::FailureOr<VmemRow> Memory::row_of(mlir::OpBuilder& builder, mlir::Value buffer,
                                        std::int64_t* lane) {
  const auto place = place_of(buffer);
  if (mlir::failed(place)) return mlir::failure();
  const auto offset = mlir::getConstantIntValue(place->offset);
  const std::int64_t lanes = machine_.lanes;
  const auto rest = offset ? std::optional<std::int64_t>((place->start + *offset) % lanes)
                           : remainder_of(mlir::cast<mlir::Value>(place->offset), lanes);
  // Without a remainder the creator of the view ensured that the offset is a multiple of a row.
  const std::int64_t at = rest.value_or(0);
  if (place->space != Space::vmem || place->start % lanes != 0 || (at != 0 && lane == nullptr)) {
    return mlir::emitError(buffer.getLoc(), "internal: a tile that is not at a row of VMEM");
  }
  if (lane != nullptr) *lane = at;
  if (offset) return VmemRow{(place->start + *offset) / lanes, {}, place->buffer};
  const auto words = mlir::cast<mlir::Value>(place->offset);
  mlir::Value& moved = moved_rows_[words];
  if (!moved) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(words);
    moved = rows_of(builder, buffer.getLoc(), words, lanes);
  }
  if (!moved) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(words);
    const mlir::Value shift = mlir::arith::ConstantIndexOp::create(
        builder, buffer.getLoc(), llvm::Log2_64(static_cast<std::uint64_t>(lanes)));
    moved = mlir::arith::ShRUIOp::create(builder, buffer.getLoc(), words, shift);
  }
  return VmemRow{place->start / lanes, moved, place->buffer};
}

VmemAddress vmem_address(mlir::OpBuilder& builder, mlir::Location loc, std::int64_t fixed,
                         mlir::OpFoldResult moved, BufferId buffer) {
  constexpr std::int64_t most = 32767;
  if (const auto number = mlir::getConstantIntValue(moved)) {
    fixed += *number;
    moved = builder.getIndexAttr(0);
  }
  if (fixed > most) {
    moved = add(builder, loc, moved, builder.getIndexAttr(fixed));
    fixed = 0;
  }
  VmemAddress address;
  address.buffer = buffer;
  address.attributes.push_back(number_attribute(builder, "address", fixed));
  if (mlir::getConstantIntValue(moved) == 0) {
    address.attributes.push_back(flag_attribute(builder, "absolute"));
  } else {
    address.registers.push_back(mlir::getValueOrCreateConstantIndexOp(builder, loc, moved));
  }
  return address;
}

mlir::Value load_at(mlir::OpBuilder& builder, mlir::Location loc, llvm::StringRef mnemonic,
                    const VmemAddress& address) {
  return machine(builder, with_touch(loc, {address.buffer, no_buffer}), mnemonic, address.registers,
                 address.attributes);
}

void store_at(mlir::OpBuilder& builder, mlir::Location loc, const VmemAddress& address) {
  machine(builder, with_touch(loc, {no_buffer, address.buffer}), "vst", address.registers,
          address.attributes);
}

// Where the variable part of an address is; the rest is in the descriptor.
mlir::Value Memory::address(mlir::OpBuilder& builder, mlir::Location loc, const Place& place,
                            mlir::OpFoldResult extra) {
  mlir::OpFoldResult words = add(builder, loc, place.offset, extra);
  if (place.space == Space::hbm) {
    words = add(builder, loc, words, builder.getIndexAttr(place.start));
    const mlir::Value base = machine(
        builder, loc, "sld", {},
        {flag_attribute(builder, "absolute"), number_attribute(builder, "address", place.slot)});
    words = add(builder, loc, mlir::OpFoldResult(base), words);
  }
  return mlir::getValueOrCreateConstantIndexOp(builder, loc, words);
}

mlir::Value Memory::offset_value(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value buffer) {
  const auto place = place_of(buffer);
  if (mlir::failed(place)) return {};
  return mlir::getValueOrCreateConstantIndexOp(builder, loc, place->offset);
}

}  // namespace tandem::compiler
