// @main becomes a function without results: every argument and every result is a buffer that the
// launch binds. A buffer that is packed in HBM (several elements per word) has the space "packed"
// and is copied into a buffer of one element per word, and back.
//
// A result that takes the memory of a donated argument has no buffer of its own. It is either built
// in the argument's, where bufferization sees all remaining readers of the argument, or is copied
// there at the very end, when all other results have been written.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tensor/lowering/lowering.hpp"
#include "isa/launch/log.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace tandem::compiler {
namespace {

using mlir::bufferization::MaterializeInDestinationOp;
using mlir::bufferization::ToTensorOp;
using mlir::func::FuncOp;

// The name of the element type in `.tensor`.
std::string element_text(mlir::Type element) {
  if (element.isF32()) return "f32";
  if (element.isBF16()) return "bf16";
  if (element.isF16()) return "f16";
  if (element.isInteger(1)) return "i1";
  const auto integer = mlir::cast<mlir::IntegerType>(element);
  return (integer.isUnsigned() ? "u" : "s") + std::to_string(integer.getWidth());
}

mlir::MemRefType buffer_type(mlir::Type type, bool packed) {
  const mlir::RankedTensorType tensor = plain_tensor(type);
  const mlir::Attribute space =
      packed ? mlir::StringAttr::get(type.getContext(), "packed") : mlir::Attribute();
  return mlir::MemRefType::get(tensor.getShape(), tensor.getElementType(),
                               mlir::MemRefLayoutAttrInterface(), space);
}

mlir::MemRefType boundary_type(mlir::Type type) {
  const mlir::Type element = mlir::cast<mlir::RankedTensorType>(type).getElementType();
  return buffer_type(type, element.getIntOrFloatBitWidth() != 32);
}

// `element`: the launch's type of the elements where the program has another one.
void describe(FuncOp function, unsigned index, const std::string& name, mlir::Type type,
              mlir::StringAttr element, llvm::StringRef direction) {
  mlir::Builder builder(function.getContext());
  const auto tensor = mlir::cast<mlir::RankedTensorType>(type);
  if (!element) element = builder.getStringAttr(element_text(tensor.getElementType()));
  if (element == "c64") attribute::shape.set(function, index, tensor.getShape().drop_front());
  attribute::name.set(function, index, name);
  attribute::type.set(function, index, element.getValue());
  attribute::direction.set(function, index, direction);
}

// For each result the argument whose memory it takes, or -1.
llvm::SmallVector<int> shared_arguments(FuncOp from) {
  llvm::SmallVector<int> result(from.getNumResults(), -1);
  for (unsigned i = 0; i < from.getNumArguments(); ++i) {
    const auto alias = from.getArgAttrOfType<mlir::IntegerAttr>(i, "tf.aliasing_output");
    if (!alias || alias.getInt() < 0 || alias.getInt() >= from.getNumResults()) continue;
    if (from.getResultTypes()[alias.getInt()] != from.getArgumentTypes()[i]) continue;
    result[alias.getInt()] = static_cast<int>(i);
  }
  return result;
}

// Messages of the program to the host go there (stablehlo/log_calls.cpp); null where it has none.
mlir::RankedTensorType log_type(FuncOp from) {
  const auto words = attribute::log_words.get(from);
  if (!words || words.getInt() <= 0) return {};
  const auto word = mlir::IntegerType::get(from.getContext(), 32, mlir::IntegerType::Unsigned);
  return mlir::RankedTensorType::get({words.getInt()}, word);
}

FuncOp declare(FuncOp from, llvm::ArrayRef<int> shared, mlir::OpBuilder& builder) {
  llvm::SmallVector<mlir::Type> types;
  for (const mlir::Type type : from.getArgumentTypes()) types.push_back(boundary_type(type));
  for (const mlir::Type type : from.getResultTypes()) types.push_back(boundary_type(type));
  const mlir::RankedTensorType log = log_type(from);
  if (log) types.push_back(boundary_type(log));
  auto function =
      FuncOp::create(builder, from.getLoc(), "main", builder.getFunctionType(types, {}));
  unsigned index = 0;
  for (const auto [number, type] : llvm::enumerate(from.getArgumentTypes())) {
    const auto element = attribute::element.get(from, static_cast<unsigned>(number));
    describe(function, index++, "arg" + std::to_string(number), type, element, "in");
  }
  for (const auto [number, type] : llvm::enumerate(from.getResultTypes())) {
    if (shared[number] >= 0) {
      attribute::shares.set(function, index, "arg" + std::to_string(shared[number]));
    }
    const auto element = attribute::element.get_result(from, number);
    describe(function, index++, "out" + std::to_string(number), type, element, "out");
  }
  if (log) describe(function, index, std::string(log_tensor), log, {}, "out");
  return function;
}

mlir::Value read_argument(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value buffer,
                          mlir::Type type, bool donated) {
  mlir::Value source = buffer;
  if (mlir::cast<mlir::MemRefType>(buffer.getType()).getMemorySpace()) {
    source = mlir::memref::AllocOp::create(builder, loc, buffer_type(type, false));
    mlir::memref::CopyOp::create(builder, loc, buffer, source);
  }
  // An unpacked copy has no other users.
  return ToTensorOp::create(builder, loc, plain_tensor(type), source, /*restrict=*/true,
                            /*writable=*/donated || source != buffer);
}

// The argument of @main in whose memory a value may be, or null.
mlir::Value home_of(mlir::Value value) {
  while (mlir::Operation* op = value.getDefiningOp()) {
    if (auto read = mlir::dyn_cast<ToTensorOp>(op)) return read.getBuffer();
    const auto result = mlir::cast<mlir::OpResult>(value);
    if (auto style = mlir::dyn_cast<mlir::DestinationStyleOpInterface>(op)) {
      value = style.getTiedOpOperand(result)->get();
    } else if (auto loop = mlir::dyn_cast<mlir::scf::WhileOp>(op)) {
      value = loop.getInits()[result.getResultNumber()];
    } else if (auto turns = mlir::dyn_cast<mlir::scf::ForOp>(op)) {
      value = turns.getInitArgs()[result.getResultNumber()];
    } else if (op->getNumOperands() > 0 &&
               mlir::isa<mlir::tensor::TensorDialect>(op->getDialect())) {
      value = op->getOperand(0);
    } else {
      return {};
    }
  }
  return {};
}

// A value in the memory of another argument moves before anything is overwritten.
mlir::Value apart_from_others(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value value,
                              mlir::Value buffer) {
  const mlir::Value home = home_of(value);
  if (!home || home == buffer || !mlir::isa<mlir::BlockArgument>(home)) return value;
  const auto type = mlir::cast<mlir::RankedTensorType>(value.getType());
  const mlir::Value room =
      mlir::bufferization::AllocTensorOp::create(builder, loc, type, mlir::ValueRange{});
  return mlir::linalg::CopyOp::create(builder, loc, value, room).getResult(0);
}

void write_donated(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value value,
                   mlir::Value buffer, mlir::Type type) {
  const mlir::Value source = mlir::bufferization::ToBufferOp::create(
      builder, loc, buffer_type(type, false), value, /*read_only=*/true);
  mlir::memref::CopyOp::create(builder, loc, source, buffer);
}

void write_result(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value value,
                  mlir::Value buffer, mlir::Type type) {
  const bool packed =
      static_cast<bool>(mlir::cast<mlir::MemRefType>(buffer.getType()).getMemorySpace());
  mlir::Value target = buffer;
  if (packed) {
    // Before the result is computed, so that it can be computed there.
    const mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(buffer.getParentBlock());
    target = mlir::memref::AllocOp::create(builder, loc, buffer_type(type, false));
  }
  MaterializeInDestinationOp::create(builder, loc, mlir::Type(), value, target,
                                     /*restrict=*/true, /*writable=*/true);
  if (packed) mlir::memref::CopyOp::create(builder, loc, target, buffer);
}

mlir::LogicalResult lower_main(FuncOp from, mlir::OpBuilder& builder, const Parameters& machine) {
  const llvm::SmallVector<int> shared = shared_arguments(from);
  FuncOp function = declare(from, shared, builder);
  mlir::Block* entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  Lowering lowering(builder, machine);
  const unsigned inputs = from.getNumArguments();
  for (const auto [index, argument] : llvm::enumerate(from.getArguments())) {
    const bool donated = llvm::is_contained(shared, static_cast<int>(index));
    lowering.map.map(argument, read_argument(builder, from.getLoc(), entry->getArgument(index),
                                             argument.getType(), donated));
  }
  auto results = lowering.lower_block(from.getBody().front());
  if (mlir::failed(results)) return mlir::failure();
  for (const auto [index, value] : llvm::enumerate(*results)) {
    if (shared[index] < 0) continue;
    value = apart_from_others(builder, from.getLoc(), value, entry->getArgument(shared[index]));
  }
  for (const auto [index, value] : llvm::enumerate(*results)) {
    if (shared[index] >= 0) continue;
    write_result(builder, from.getLoc(), value, entry->getArgument(inputs + index),
                 from.getResultTypes()[index]);
  }
  for (const auto [index, value] : llvm::enumerate(*results)) {
    if (shared[index] < 0) continue;
    write_donated(builder, from.getLoc(), value, entry->getArgument(shared[index]),
                  from.getResultTypes()[index]);
  }
  mlir::func::ReturnOp::create(builder, from.getLoc());
  return mlir::success();
}

struct LowerToTensor : ModulePass<LowerToTensor, PassName::lower_to_tensor> {
  explicit LowerToTensor(const Parameters& machine) : machine_(machine) {}

  void run() {
    auto from = getOperation().lookupSymbol<FuncOp>("main");
    mlir::OpBuilder builder(from);
    from.setName("tandem.stablehlo.main");
    if (mlir::failed(lower_main(from, builder, machine_))) return signalPassFailure();
    llvm::SmallVector<FuncOp> old;
    for (FuncOp function : getOperation().getOps<FuncOp>()) {
      if (function.getName() != "main" && !attribute::kernel.is_on(function))
        old.push_back(function);
    }
    for (FuncOp function : old) function->erase();
  }

 private:
  const Parameters& machine_;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_lower_to_tensor_pass(const Parameters& machine) {
  return std::make_unique<LowerToTensor>(machine);
}

}  // namespace tandem::compiler
