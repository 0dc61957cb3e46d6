// Views of references, and copies that a kernel starts itself.
//
// A copy takes effect at its start. A kernel must wait for it before it reads the target or
// overwrites the source, and its semaphore has no other use; the level `tpu` lets the machine's
// copy overlap with the following operations, up to the first one that touches either side
// (tpu/in_flight.hpp). So semaphores need no memory, and waits do nothing.
#include "compiler/tensor/pallas/translation.hpp"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

namespace tandem::compiler::pallas {
namespace {

namespace memref = mlir::memref;

mlir::MemRefType memory(mlir::Type type) { return mlir::cast<mlir::MemRefType>(type); }

// Scalar operands give the device or core.
bool leaves_the_chip(Operation* op) {
  return llvm::any_of(op->getOperandTypes(),
                      [](mlir::Type type) { return !mlir::isa<mlir::MemRefType>(type); });
}

mlir::LogicalResult stays_on_chip(Translation& translation, Operation* op) {
  if (!leaves_the_chip(op)) return mlir::success();
  return translation.error(op) << "unimplemented: copies and signals between chips ("
                               << mosaic::name_of(op) << ") in a Pallas kernel";
}

// Groups of dimensions that are merged, or split; none where a reshape is neither.
std::optional<llvm::SmallVector<mlir::ReassociationIndices>> groups_of(mlir::MemRefType one,
                                                                       mlir::MemRefType other) {
  return mlir::getReassociationIndicesForReshape(
      mlir::RankedTensorType::get(one.getShape(), one.getElementType()),
      mlir::RankedTensorType::get(other.getShape(), one.getElementType()));
}

}  // namespace

mlir::FailureOr<Values> scratch(Translation& translation, Operation* op) {
  const mlir::MemRefType type = memory(op->getResult(0).getType());
  if (mosaic::is_semaphore(type)) return Values{Value()};
  const mlir::Type kind = translation.element(op, type.getElementType());
  if (!kind) return mlir::failure();
  const auto made = mlir::MemRefType::get(type.getShape(), kind);
  const mlir::Location loc = translation.location(op);
  if (mosaic::space_of(type) == "vmem") {
    return Values{window_buffer(translation.builder, loc, made)};
  }
  return Values{memref::AllocOp::create(translation.builder, loc, made)};
}

mlir::FailureOr<Values> view_slice(Translation& translation, Operation* op) {
  const mlir::MemRefType type = memory(op->getResult(0).getType());
  if (mosaic::is_semaphore(type)) return Values{Value()};
  const auto rank = static_cast<std::size_t>(type.getRank());
  if (op->getNumOperands() != 1 + rank || !type.hasStaticShape()) {
    return translation.error(op) << "unimplemented: parts of a reference with sizes that are "
                                    "computed in a Pallas kernel";
  }
  const auto begin = llvm::map_to_vector(op->getOperands().drop_front(1),
                                         [&](Value each) { return translation.index(each); });
  return Values{part_of(translation, translation.location(op), translation.get(op->getOperand(0)),
                        begin, type.getShape(), type.getShape())};
}

mlir::FailureOr<Values> view_squeeze(Translation& translation, Operation* op) {
  const mlir::MemRefType type = memory(op->getResult(0).getType());
  if (mosaic::is_semaphore(type)) return Values{Value()};
  const Value whole = translation.get(op->getOperand(0));
  const auto shape = memory(whole.getType()).getShape();
  const llvm::SmallVector<mlir::OpFoldResult> begin(shape.size(),
                                                    translation.builder.getIndexAttr(0));
  return Values{
      part_of(translation, translation.location(op), whole, begin, shape, type.getShape())};
}

mlir::FailureOr<Values> view_reshape(Translation& translation, Operation* op) {
  const mlir::MemRefType type = memory(op->getResult(0).getType());
  const Value whole = translation.get(op->getOperand(0));
  const mlir::MemRefType from = memory(whole.getType());
  if (from.getShape() == type.getShape()) return Values{whole};
  const auto groups = groups_of(from, type);
  const mlir::Location loc = translation.location(op);
  if (groups && type.getRank() > from.getRank()) {
    return Values{
        memref::ExpandShapeOp::create(translation.builder, loc, type.getShape(), whole, *groups)};
  }
  if (groups && memref::CollapseShapeOp::isGuaranteedCollapsible(from, *groups)) {
    return Values{memref::CollapseShapeOp::create(translation.builder, loc, whole, *groups)};
  }
  return translation.error(op) << "unimplemented: a reference of shape " << from
                               << " as another shape in a Pallas kernel";
}

mlir::FailureOr<Values> copy(Translation& translation, Operation* op) {
  if (mlir::failed(stays_on_chip(translation, op))) return mlir::failure();
  memref::CopyOp::create(translation.builder, translation.location(op),
                         translation.get(op->getOperand(0)),
                         translation.get(mosaic::copy_target(op)));
  return Values{};
}

mlir::FailureOr<Values> wait_for_copy(Translation& translation, Operation* op) {
  if (mlir::failed(stays_on_chip(translation, op))) return mlir::failure();
  return Values{};
}

mlir::FailureOr<Values> semaphore(Translation& translation, Operation* op) {
  (void)translation;
  return Values(op->getNumResults());
}

// In one core, everything that a wait waits for has already been done, or never will be.
mlir::FailureOr<Values> signal(Translation& translation, Operation* op) {
  if (op->getNumOperands() != 2) {
    return translation.error(op) << "unimplemented: copies and signals between chips ("
                                 << mosaic::name_of(op) << ") in a Pallas kernel";
  }
  return Values{};
}

mlir::FailureOr<Values> region(Translation& translation, Operation* op) {
  return translation.block(op->getRegion(0).front());
}

}  // namespace tandem::compiler::pallas
