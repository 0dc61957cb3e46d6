// Loads and stores.
//
// A loaded value is a tensor that is the buffer's part itself, or a copy of it where the buffer is
// written before its last use (mosaic/accesses.hpp). A stored value is copied; where it can be
// computed in place, tiled/write_in_place.cpp does this.
#include "compiler/contract/attributes.hpp"
#include "compiler/tensor/pallas/translation.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler::pallas {
namespace {

namespace bufferization = mlir::bufferization;
namespace memref = mlir::memref;
using Places = llvm::SmallVector<mlir::OpFoldResult>;
using Sizes = llvm::ArrayRef<std::int64_t>;

Places places(Translation& translation, mlir::OperandRange foreign) {
  return llvm::map_to_vector(foreign, [&](Value each) { return translation.index(each); });
}

Value as_tensor(Translation& translation, mlir::Location loc, Value part, bool writable = false) {
  const auto type = mlir::cast<mlir::MemRefType>(part.getType());
  return bufferization::ToTensorOp::create(
      translation.builder, loc, mlir::RankedTensorType::get(type.getShape(), type.getElementType()),
      part,
      /*restrict=*/true, writable);
}

Value copied(Translation& translation, mlir::Location loc, Value part) {
  const auto type = mlir::cast<mlir::MemRefType>(part.getType());
  const Value room = memref::AllocOp::create(
      translation.builder, loc, mlir::MemRefType::get(type.getShape(), type.getElementType()));
  memref::CopyOp::create(translation.builder, loc, part, room);
  return room;
}

Value loaded(Translation& translation, Operation* op, Value part) {
  const mlir::Location loc = translation.location(op);
  const bool needs_copy = translation.accesses->needs_copy(op);
  return as_tensor(translation, loc, needs_copy ? copied(translation, loc, part) : part);
}

// The value before changes of shape that have only inserted dimensions of size one.
Value without_casts(Value foreign) {
  const auto shape = mlir::cast<mlir::VectorType>(foreign.getType()).getShape();
  while (Operation* op = foreign.getDefiningOp()) {
    if (!mosaic::only_changes_units(op)) break;
    const Value before = op->getOperand(0);
    const auto fewer = mlir::cast<mlir::VectorType>(before.getType()).getShape();
    if (!mlir::computeRankReductionMask(shape, fewer)) break;
    foreign = before;
  }
  return foreign;
}

void write(Translation& translation, mlir::Location loc, Value tensor, Value part) {
  mlir::OpBuilder& builder = translation.builder;
  const Value room = as_tensor(translation, loc, part, true);
  const Value written = mlir::linalg::CopyOp::create(builder, loc, tensor, room).getResult(0);
  bufferization::MaterializeInDestinationOp::create(builder, loc, mlir::Type(), written, part,
                                                    /*restrict=*/true, /*writable=*/true);
}

}  // namespace

Value window_buffer(mlir::OpBuilder& builder, mlir::Location loc, mlir::MemRefType type) {
  auto alloc = memref::AllocOp::create(builder, loc, type);
  attribute::window.set(alloc);
  return alloc;
}

Value part_of(Translation& translation, mlir::Location loc, Value buffer,
              llvm::ArrayRef<mlir::OpFoldResult> begin, Sizes sizes, Sizes shape, Sizes steps) {
  mlir::OpBuilder& builder = translation.builder;
  const auto type = mlir::cast<mlir::MemRefType>(buffer.getType());
  const auto extents = mlir::getAsIndexOpFoldResult(builder.getContext(), sizes);
  const Places strides = steps.empty()
                             ? Places(sizes.size(), builder.getIndexAttr(1))
                             : Places(mlir::getAsIndexOpFoldResult(builder.getContext(), steps));
  const auto wanted =
      memref::SubViewOp::inferRankReducedResultType(shape, type, begin, extents, strides);
  return memref::SubViewOp::create(builder, loc, wanted, buffer, begin, extents, strides);
}

// A reference to bf16 as one to words: two rows are one, the first in the low halves. Here each
// element is a word, so a loaded word is composed from both.
mlir::FailureOr<Values> view_words(Translation& translation, Operation* op) {
  const auto from = mlir::cast<mlir::MemRefType>(op->getOperand(0).getType());
  const auto to = mlir::cast<mlir::MemRefType>(op->getResult(0).getType());
  llvm::SmallVector<std::int64_t> rows(to.getShape());
  if (rows.size() > 1) rows[rows.size() - 2] *= 2;
  const bool only_loads = llvm::all_of(op->getUsers(), [](Operation* user) {
    return mosaic::name_of(user) == "vector.load" || mosaic::name_of(user) == "tpu.strided_load";
  });
  if (!from.getElementType().isBF16() || !to.getElementType().isInteger(32) || rows.size() < 2 ||
      from.getShape() != Sizes(rows) || !only_loads) {
    return translation.error(op) << "unimplemented: tpu.memref_bitcast in a Pallas kernel, but of "
                                    "bf16 that is loaded as words of 32 bits";
  }
  return Values{Value()};
}

namespace {

mlir::OpFoldResult row_of_pair(Translation& translation, mlir::Location loc,
                               mlir::OpFoldResult pair, std::int64_t half) {
  mlir::OpBuilder& builder = translation.builder;
  if (const auto number = mlir::getConstantIntValue(pair)) {
    return builder.getIndexAttr(2 * *number + half);
  }
  const Value twice = mlir::arith::MulIOp::create(builder, loc, mlir::cast<Value>(pair),
                                                  index_constant(builder, loc, 2));
  return mlir::arith::AddIOp::create(builder, loc, twice, index_constant(builder, loc, half))
      .getResult();
}

Value loaded_words(Translation& translation, Operation* op, Operation* view,
                   mlir::RankedTensorType type) {
  mlir::OpBuilder& builder = translation.builder;
  const mlir::Location loc = translation.location(op);
  const std::size_t rows = static_cast<std::size_t>(type.getRank()) - 2;
  llvm::SmallVector<std::int64_t> steps(mosaic::integers_of(op, "strides"));
  steps.resize(static_cast<std::size_t>(type.getRank()), 1);
  steps[rows] *= 2;
  Values halves;
  for (const std::int64_t half : {0, 1}) {
    Places begin = places(translation, op->getOperands().drop_front(1));
    begin[rows] = row_of_pair(translation, loc, begin[rows], half);
    const Value part = part_of(translation, loc, translation.get(view->getOperand(0)), begin,
                               type.getShape(), type.getShape(), steps);
    halves.push_back(loaded(translation, op, part));
  }
  return parallel_generic(
      builder, loc, type, halves,
      [](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange elements) -> Value {
        const auto bits = [&](Value element) -> Value {
          const Value real = mlir::arith::ExtFOp::create(nested, at, nested.getF32Type(), element);
          return mlir::arith::BitcastOp::create(nested, at, nested.getI32Type(), real);
        };
        // The lower half of a bf16's fp32 is zero.
        const Value width = mlir::arith::ConstantIntOp::create(nested, at, 16, 32);
        const Value low = mlir::arith::ShRUIOp::create(nested, at, bits(elements[0]), width);
        return mlir::arith::OrIOp::create(nested, at, low, bits(elements[1]));
      });
}

}  // namespace

mlir::FailureOr<Values> load(Translation& translation, Operation* op) {
  const mlir::RankedTensorType type = translation.tensor(op, op->getResult(0).getType());
  if (!type) return mlir::failure();
  Operation* view = op->getOperand(0).getDefiningOp();
  if (view != nullptr && mosaic::name_of(view) == "tpu.memref_bitcast" && !op->use_empty()) {
    return Values{loaded_words(translation, op, view, type)};
  }
  const mlir::Location loc = translation.location(op);
  if (op->use_empty()) return Values{Value()};  // JAX reads memory that it is about to overwrite
  const auto steps = mosaic::integers_of(op, "strides");
  const Value part = part_of(translation, loc, translation.get(op->getOperand(0)),
                             places(translation, op->getOperands().drop_front(1)), type.getShape(),
                             type.getShape(), steps);
  return Values{loaded(translation, op, part)};
}

mlir::FailureOr<Values> load_scalar(Translation& translation, Operation* op) {
  const mlir::RankedTensorType type = translation.tensor(op, op->getResult(0).getType());
  if (!type) return mlir::failure();
  const mlir::Location loc = translation.location(op);
  const Value buffer = translation.get(op->getOperand(0));
  const Places begin = places(translation, op->getOperands().drop_front(1));
  const llvm::SmallVector<std::int64_t> ones(begin.size(), 1);
  const Value part = part_of(translation, loc, buffer, begin, ones, {});
  if (mlir::isa<mlir::FloatType>(type.getElementType())) {
    return Values{loaded(translation, op, part)};
  }
  return Values{memref::LoadOp::create(translation.builder, loc, part, mlir::ValueRange())};
}

mlir::FailureOr<Values> store_scalar(Translation& translation, Operation* op) {
  const mlir::Location loc = translation.location(op);
  const Places begin = places(translation, op->getOperands().drop_front(2));
  const llvm::SmallVector<std::int64_t> ones(begin.size(), 1);
  const Value part = part_of(translation, loc, translation.get(op->getOperand(1)), begin, ones, {});
  write(translation, loc, translation.as_tensor(loc, translation.get(op->getOperand(0))), part);
  return Values{};
}

mlir::FailureOr<Values> store(Translation& translation, Operation* op) {
  const Value buffer = translation.get(op->getOperand(1));
  const auto rank = mlir::cast<mlir::MemRefType>(buffer.getType()).getRank();
  const auto steps = mosaic::integers_of(op, "strides");
  const auto add = op->getAttrOfType<mlir::BoolAttr>("add");
  if (add && add.getValue()) {
    return translation.error(op) << "unimplemented: stores that add in a Pallas kernel";
  }
  mlir::OpBuilder& builder = translation.builder;
  const mlir::Location loc = translation.location(op);
  const Places begin = places(translation, op->getOperands().slice(2, rank));
  const bool has_mask = static_cast<std::int64_t>(op->getNumOperands()) > 2 + rank;
  const auto stored = mlir::cast<mlir::VectorType>(op->getOperand(0).getType());
  Value value = translation.get(has_mask ? op->getOperand(0) : without_casts(op->getOperand(0)));
  const auto type = mlir::cast<mlir::RankedTensorType>(value.getType());
  const Value part =
      part_of(translation, loc, buffer, begin, stored.getShape(), type.getShape(), steps);
  if (has_mask) {
    const Value old = as_tensor(translation, loc, copied(translation, loc, part));
    const Values operands{translation.get(op->getOperands().back()), value, old};
    value = parallel_generic(
        builder, loc, type, operands,
        [](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange elements) -> Value {
          return mlir::arith::SelectOp::create(nested, at, elements[0], elements[1], elements[2]);
        });
  }
  write(translation, loc, value, part);
  return Values{};
}

}  // namespace tandem::compiler::pallas
