// A result that is reshaped last is written in its own shape: the destination is reshaped instead.
//
//   %r = collapse_shape %x                            %view = memref.expand_shape %result
//   materialize_in_destination %r in %result    ->    materialize_in_destination %x in %view
//
// What computes %x then writes the result itself, where %x would be a buffer of its own with a copy
// at the end of the program. Only where rows stay the same: a buffer in VMEM has rows of its shape.
// After the last pass that changes the shapes of arguments (reshape_arguments.cpp).
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tensor/reshaped.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
namespace tensor = mlir::tensor;
using mlir::MemRefType;
using mlir::Value;
using mlir::bufferization::MaterializeInDestinationOp;

// The inverse of the reshape that made the tensor, of the buffer; null for no reshape.
Value unshaped(mlir::OpBuilder& builder, Value made, Value buffer) {
  mlir::Operation* op = made.getDefiningOp();
  if (auto collapse = mlir::dyn_cast_or_null<tensor::CollapseShapeOp>(op)) {
    return memref::ExpandShapeOp::create(builder, op->getLoc(),
                                         tensor_type_of(collapse.getSrc()).getShape(), buffer,
                                         collapse.getReassociationIndices());
  }
  if (auto expand = mlir::dyn_cast_or_null<tensor::ExpandShapeOp>(op)) {
    return memref::CollapseShapeOp::create(builder, op->getLoc(), buffer,
                                           expand.getReassociationIndices());
  }
  return {};
}

// The tensor before its last reshapes that has the same rows as they have; itself for none.
Value with_same_rows(Value made) {
  const auto row = [](Value value) {
    const auto shape = tensor_type_of(value).getShape();
    return shape.empty() ? 1 : shape.back();
  };
  Value result = made;
  for (Value value = made;;) {
    const Value source = source_of_reshape(value.getDefiningOp());
    if (!source || !value.hasOneUse()) return result;
    value = source;
    if (row(value) == row(made)) result = value;
  }
}

// What a call has written to a buffer is sent on from there (tiled/exchange_in_place.cpp).
bool is_computed(Value value) {
  return mlir::isa_and_nonnull<mlir::linalg::LinalgOp, mlir::scf::ForOp>(value.getDefiningOp());
}

struct ReshapeDestinations : FunctionPass<ReshapeDestinations, PassName::reshape_destinations> {
  void run() {
    getOperation().walk([](MaterializeInDestinationOp write) {
      const auto type = mlir::dyn_cast<MemRefType>(write.getDest().getType());
      if (!type || !type.getLayout().isIdentity() || type.getMemorySpace()) return;
      mlir::OpBuilder builder(write);
      const Value wanted = with_same_rows(write.getSource());
      if (wanted == write.getSource() || !is_computed(wanted)) return;
      Value source = write.getSource();
      Value target = write.getDest();
      while (source != wanted) {
        target = unshaped(builder, source, target);
        source = source_of_reshape(source.getDefiningOp());
      }
      write.getSourceMutable().set(source);
      write.getDestMutable().set(target);
    });
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_reshape_destinations_pass() {
  return std::make_unique<ReshapeDestinations>();
}

}  // namespace tandem::compiler
