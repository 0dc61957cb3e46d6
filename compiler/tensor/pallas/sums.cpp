// Products of matrices, and reductions.
#include "compiler/contract/attributes.hpp"
#include "compiler/tensor/lowering/handlers.hpp"
#include "compiler/tensor/pallas/translation.hpp"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler::pallas {
namespace {

namespace arith = mlir::arith;
using Iterator = mlir::utils::IteratorType;
using List = llvm::SmallVector<std::int64_t>;

mlir::RankedTensorType type_of(Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

// The lists of "[1], [0], [0], [1], [0, 0, 1, 1], [], []": contracted dimensions of left and right,
// their free ones, those of the result as pairs of operand and dimension, and batches.
struct Dimensions {
  List contracted[2];
  List free[2];
  List result;
  List batch[2];
};

std::optional<Dimensions> dimensions_of(llvm::StringRef text) {
  Dimensions all;
  for (List* list : {&all.contracted[0], &all.contracted[1], &all.free[0], &all.free[1],
                     &all.result, &all.batch[0], &all.batch[1]}) {
    text = text.ltrim(" ,\n");
    if (!text.consume_front("[")) return std::nullopt;
    while (!text.consume_front("]")) {
      std::int64_t number = 0;
      text = text.ltrim(" ,");
      if (text.consumeInteger(10, number)) return std::nullopt;
      list->push_back(number);
      text = text.ltrim();
    }
  }
  const bool pairs = all.contracted[0].size() == all.contracted[1].size() &&
                     all.batch[0].size() == all.batch[1].size() && all.result.size() % 2 == 0;
  return pairs ? std::optional(all) : std::nullopt;
}

// Loops: those of the result in its order, then the contracted ones.
std::optional<llvm::SmallVector<mlir::AffineMap>> maps_of(mlir::OpBuilder& builder,
                                                          const Dimensions& dimensions,
                                                          std::int64_t left_rank,
                                                          std::int64_t right_rank) {
  llvm::SmallVector<mlir::AffineExpr> sides[2];
  sides[0].resize(left_rank);
  sides[1].resize(right_rank);
  unsigned loops = 0;
  const auto put = [&](unsigned side, std::int64_t dimension, mlir::AffineExpr loop) {
    if (dimension < 0 || dimension >= static_cast<std::int64_t>(sides[side].size())) return false;
    sides[side][dimension] = loop;
    return true;
  };
  for (std::size_t i = 0; i < dimensions.result.size(); i += 2) {
    const auto side = static_cast<unsigned>(dimensions.result[i]);
    if (side > 1) return std::nullopt;
    const std::int64_t dimension = dimensions.result[i + 1];
    const mlir::AffineExpr loop = builder.getAffineDimExpr(loops++);
    if (!put(side, dimension, loop)) return std::nullopt;
    const auto* batch = llvm::find(dimensions.batch[side], dimension);
    const auto place = batch - dimensions.batch[side].begin();
    if (batch != dimensions.batch[side].end() &&
        !put(1 - side, dimensions.batch[1 - side][place], loop)) {
      return std::nullopt;
    }
  }
  const unsigned rank = loops;
  for (const auto [left, right] : llvm::zip(dimensions.contracted[0], dimensions.contracted[1])) {
    const mlir::AffineExpr loop = builder.getAffineDimExpr(loops++);
    if (!put(0, left, loop) || !put(1, right, loop)) return std::nullopt;
  }
  llvm::SmallVector<mlir::AffineMap> maps;
  for (const auto& side : sides) {
    if (llvm::is_contained(side, mlir::AffineExpr())) return std::nullopt;
    maps.push_back(mlir::AffineMap::get(loops, 0, side, builder.getContext()));
  }
  maps.push_back(builder.getMultiDimIdentityMap(loops).getMajorSubMap(rank));
  return maps;
}

bool is_zero(Value foreign) {
  Operation* op = foreign.getDefiningOp();
  const auto value = op != nullptr && mosaic::name_of(op) == "arith.constant"
                         ? mlir::dyn_cast_or_null<mlir::DenseElementsAttr>(op->getAttr("value"))
                         : mlir::DenseElementsAttr();
  if (!value || !value.isSplat()) return false;
  if (mlir::isa<mlir::FloatType>(value.getElementType())) {
    return value.getSplatValue<llvm::APFloat>().isZero();
  }
  return value.getSplatValue<llvm::APInt>().isZero();
}

Value sum_of(mlir::OpBuilder& builder, mlir::Location loc, Value a, Value b) {
  if (mlir::isa<mlir::FloatType>(a.getType())) return arith::AddFOp::create(builder, loc, a, b);
  return arith::AddIOp::create(builder, loc, a, b);
}

void multiply_add(mlir::OpBuilder& builder, mlir::Location loc, mlir::ValueRange arguments) {
  const mlir::Type type = arguments[2].getType();
  const Value left = widened(builder, loc, arguments[0], type);
  const Value right = widened(builder, loc, arguments[1], type);
  const Value product = mlir::isa<mlir::FloatType>(type)
                            ? arith::MulFOp::create(builder, loc, left, right).getResult()
                            : arith::MulIOp::create(builder, loc, left, right).getResult();
  mlir::linalg::YieldOp::create(builder, loc, sum_of(builder, loc, arguments[2], product));
}

// The kind of a reduction as an operation on two elements; null for an unknown one.
Value combined(mlir::OpBuilder& builder, mlir::Location loc, llvm::StringRef kind, Value a,
               Value b) {
  const bool real = mlir::isa<mlir::FloatType>(a.getType());
  const llvm::StringRef name = llvm::StringSwitch<llvm::StringRef>(kind)
                                   .Case("add", real ? "arith.addf" : "arith.addi")
                                   .Case("mul", real ? "arith.mulf" : "arith.muli")
                                   .Case("maximumf", "arith.maximumf")
                                   .Case("minimumf", "arith.minimumf")
                                   .Case("maxsi", "arith.maxsi")
                                   .Case("minsi", "arith.minsi")
                                   .Case("maxui", "arith.maxui")
                                   .Case("minui", "arith.minui")
                                   .Case("and", "arith.andi")
                                   .Case("or", "arith.ori")
                                   .Case("xor", "arith.xori")
                                   .Default("");
  if (name.empty()) return {};
  mlir::OperationState state(loc, name);
  state.addOperands({a, b});
  state.addTypes(a.getType());
  return builder.create(state)->getResult(0);
}

bool is_kind(llvm::StringRef kind) {
  static const llvm::StringSet<> all{"add",   "mul",   "maximumf", "minimumf", "maxsi", "minsi",
                                     "maxui", "minui", "and",      "or",       "xor"};
  return all.contains(kind);
}

// Over these dimensions, starting from the contents of the buffer.
Value reduced(mlir::OpBuilder& builder, mlir::Location loc, llvm::StringRef kind, Value value,
              Value room, llvm::ArrayRef<std::int64_t> dimensions) {
  const auto rank = static_cast<unsigned>(type_of(value).getRank());
  llvm::SmallVector<Iterator> iterators(rank, Iterator::parallel);
  llvm::SmallVector<mlir::AffineExpr> kept;
  for (unsigned i = 0; i < rank; ++i) {
    if (llvm::is_contained(dimensions, i)) {
      iterators[i] = Iterator::reduction;
    } else {
      kept.push_back(builder.getAffineDimExpr(i));
    }
  }
  const mlir::AffineMap maps[] = {builder.getMultiDimIdentityMap(rank),
                                  mlir::AffineMap::get(rank, 0, kept, builder.getContext())};
  auto generic = mlir::linalg::GenericOp::create(
      builder, loc, mlir::TypeRange{room.getType()}, mlir::ValueRange{value},
      mlir::ValueRange{room}, maps, iterators,
      [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange elements) {
        mlir::linalg::YieldOp::create(nested, at,
                                      combined(nested, at, kind, elements[1], elements[0]));
      });
  return generic.getResult(0);
}

}  // namespace

mlir::FailureOr<Values> matmul(Translation& translation, Operation* op) {
  const mlir::RankedTensorType type = translation.tensor(op, op->getResult(0).getType());
  if (!type) return mlir::failure();
  const auto dimensions = dimensions_of(mosaic::text_of(op, "dimension_numbers"));
  const Value left = translation.get(op->getOperand(0));
  const Value right = translation.get(op->getOperand(1));
  mlir::OpBuilder& builder = translation.builder;
  const auto maps =
      dimensions ? maps_of(builder, *dimensions, type_of(left).getRank(), type_of(right).getRank())
                 : std::nullopt;
  if (!maps) return translation.error(op) << "unimplemented: tpu.matmul of such dimensions";
  const mlir::Type sums = type.getElementType();
  if (!sums.isF32() && !sums.isInteger(32)) {
    return translation.error(op) << "unimplemented: tpu.matmul with results of type " << sums;
  }
  const mlir::Location loc = translation.location(op);
  const Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(sums));
  llvm::SmallVector<Iterator> iterators(type.getRank(), Iterator::parallel);
  iterators.resize(maps->front().getNumDims(), Iterator::reduction);
  auto generic = mlir::linalg::GenericOp::create(
      builder, loc, mlir::TypeRange{type}, mlir::ValueRange{left, right},
      mlir::ValueRange{filled_tensor(builder, loc, type, zero)}, *maps, iterators, multiply_add);
  const llvm::StringRef precision = mosaic::text_of(op, "precision");
  attribute::precision.set(generic, precision == "fp32" ? "HIGHEST" : "DEFAULT");
  Value result = generic.getResult(0);
  if (!is_zero(op->getOperand(2))) {
    const Values operands{translation.get(op->getOperand(2)), result};
    result =
        parallel_generic(builder, loc, type, operands,
                         [](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange each) {
                           return sum_of(nested, at, each[0], each[1]);
                         });
  }
  return Values{result};
}

mlir::FailureOr<Values> reduction(Translation& translation, Operation* op) {
  const mlir::RankedTensorType type = translation.tensor(op, op->getResult(0).getType());
  if (!type) return mlir::failure();
  const llvm::StringRef kind = mosaic::text_of(op, "kind");
  if (!is_kind(kind)) {
    return translation.error(op) << "unimplemented: vector.multi_reduction of the kind " << kind;
  }
  mlir::OpBuilder& builder = translation.builder;
  const mlir::Location loc = translation.location(op);
  const Value initial = translation.as_tensor(loc, translation.get(op->getOperand(1)));
  // The sum is accumulated in a tensor of its own, if it does not begin with a number.
  const Value room =
      initial.getDefiningOp<mlir::linalg::FillOp>()
          ? initial
          : mlir::linalg::CopyOp::create(builder, loc, initial, empty_tensor(builder, loc, type))
                .getResult(0);
  const Value result = reduced(builder, loc, kind, translation.get(op->getOperand(0)), room,
                               mosaic::integers_of(op, "reduction_dims"));
  const bool is_integer = !mlir::isa<mlir::VectorType>(op->getResult(0).getType()) &&
                          !mlir::isa<mlir::FloatType>(type.getElementType());
  return Values{is_integer ? scalar_of(builder, loc, result) : result};
}

// The least index among those of the extreme; of NaN, if there are any.
mlir::FailureOr<Values> first_index(Translation& translation, Operation* op) {
  const mlir::RankedTensorType type = translation.tensor(op, op->getResult(0).getType());
  if (!type) return mlir::failure();
  const Value value = translation.get(op->getOperand(0));
  const llvm::StringRef kind = mosaic::text_of(op, "kind");
  const bool is_largest = kind == "arg_max";
  if ((!is_largest && kind != "arg_min") || !type_of(value).getElementType().isF32() ||
      !type.getElementType().isInteger(32)) {
    return translation.error(op) << "unimplemented: tpu.reduce_index of the kind " << kind << " of "
                                 << type_of(value).getElementType() << " in a Pallas kernel";
  }
  mlir::OpBuilder& builder = translation.builder;
  const mlir::Location loc = translation.location(op);
  const std::int64_t axis = op->getAttrOfType<mlir::IntegerAttr>("axis").getInt();
  const auto constant = [&](mlir::TypedAttr number) -> Value {
    return arith::ConstantOp::create(builder, loc, number);
  };
  const auto end = llvm::APFloat::getInf(llvm::APFloat::IEEEsingle(), is_largest);
  const Value extremes =
      reduced(builder, loc, is_largest ? "maximumf" : "minimumf", value,
              filled_tensor(builder, loc,
                            mlir::RankedTensorType::get(type.getShape(), builder.getF32Type()),
                            constant(builder.getFloatAttr(builder.getF32Type(), end))),
              axis);
  const auto rank = static_cast<unsigned>(type_of(value).getRank());
  const Value none = constant(builder.getI32IntegerAttr(std::numeric_limits<std::int32_t>::max()));
  const mlir::AffineMap all = builder.getMultiDimIdentityMap(rank);
  const Value indices = parallel_generic(
      builder, loc, mlir::RankedTensorType::get(type_of(value).getShape(), builder.getI32Type()),
      {value, extremes}, {all, all.dropResult(static_cast<unsigned>(axis))},
      [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange elements) -> Value {
        const auto compared = [&](arith::CmpFPredicate how, Value other) -> Value {
          return arith::CmpFOp::create(nested, at, how, elements[0], other);
        };
        const Value found =
            arith::OrIOp::create(nested, at, compared(arith::CmpFPredicate::OEQ, elements[1]),
                                 compared(arith::CmpFPredicate::UNO, elements[0]));
        const Value number = mlir::linalg::IndexOp::create(nested, at, axis);
        const Value word = arith::IndexCastOp::create(nested, at, nested.getI32Type(), number);
        return arith::SelectOp::create(nested, at, found, word, none);
      });
  return Values{
      reduced(builder, loc, "minsi", indices, filled_tensor(builder, loc, type, none), axis)};
}

}  // namespace tandem::compiler::pallas
