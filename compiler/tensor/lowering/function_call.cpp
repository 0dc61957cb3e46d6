// A custom call of a function in assembly, as stablehlo/link_functions.cpp has noted it at the
// call. Tensors are in HBM like those of a launch, row-major and packed; scalars are passed by
// value. The function's text is on a declaration, shared by all identical calls; its rows of VMEM
// are one more buffer.
#include "compiler/contract/attributes.hpp"
#include "compiler/functions/element.hpp"
#include "compiler/tensor/lowering/handlers.hpp"
#include "isa/launch/argument.hpp"
#include "isa/launch/launch.hpp"
#include "isa/launch/tensor_layout.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
namespace memref = mlir::memref;
using mlir::Value;

// A tensor of the call in HBM.
struct Buffer {
  Value memory;  // words where elements are packed
  Value packed;  // the same as elements in packed memory; null where an element is a word
};

Buffer make_buffer(mlir::OpBuilder& builder, mlir::Location loc, mlir::RankedTensorType type,
                   const TensorLayout& layout) {
  const mlir::Type element = type.getElementType();
  if (element.getIntOrFloatBitWidth() == 32) {
    return {memref::AllocOp::create(builder, loc, mlir::MemRefType::get(type.getShape(), element)),
            {}};
  }
  const auto words = static_cast<std::int64_t>(layout.bytes() / 4);
  const Value memory =
      memref::AllocOp::create(builder, loc, mlir::MemRefType::get({words}, builder.getI32Type()));
  const auto packed = mlir::MemRefType::get(
      type.getShape(), element, mlir::MemRefLayoutAttrInterface(), builder.getStringAttr("packed"));
  return {memory,
          mlir::UnrealizedConversionCastOp::create(builder, loc, packed, memory).getResult(0)};
}

Value loose_buffer(mlir::OpBuilder& builder, mlir::Location loc, mlir::RankedTensorType type) {
  return memref::AllocOp::create(builder, loc,
                                 mlir::MemRefType::get(type.getShape(), type.getElementType()));
}

void write(mlir::OpBuilder& builder, mlir::Location loc, Value tensor, const Buffer& buffer) {
  const auto type = mlir::cast<mlir::RankedTensorType>(tensor.getType());
  const Value target = buffer.packed ? loose_buffer(builder, loc, type) : buffer.memory;
  mlir::bufferization::MaterializeInDestinationOp::create(builder, loc, mlir::Type(), tensor,
                                                          target, /*restrict=*/true,
                                                          /*writable=*/true);
  if (buffer.packed) memref::CopyOp::create(builder, loc, target, buffer.packed);
}

// In a buffer of its own, which may be placed in VMEM; otherwise, with one element per word, it is
// read where the function left it (tiled/place_in_vmem.cpp).
Value read(mlir::OpBuilder& builder, mlir::Location loc, mlir::RankedTensorType type,
           const Buffer& buffer) {
  const Value loose = loose_buffer(builder, loc, type);
  if (!buffer.packed) attribute::of_result.set(loose.getDefiningOp());
  memref::CopyOp::create(builder, loc, buffer.packed ? buffer.packed : buffer.memory, loose);
  return mlir::bufferization::ToTensorOp::create(builder, loc, type, loose, /*restrict=*/true);
}

// The word that the function finds in its register.
Value number(mlir::OpBuilder& builder, mlir::Location loc, Value tensor) {
  const mlir::RankedTensorType word = mlir::RankedTensorType::get({}, builder.getI32Type());
  mlir::DenseElementsAttr constant;
  if (mlir::matchPattern(tensor, mlir::m_Constant(&constant)) && constant.isSplat()) {
    const auto value = constant.getSplatValue<mlir::Attribute>();
    const auto real = mlir::dyn_cast<mlir::FloatAttr>(value);
    const llvm::APInt bits =
        real ? real.getValue().bitcastToAPInt() : mlir::cast<mlir::IntegerAttr>(value).getValue();
    return arith::ConstantIntOp::create(builder, loc, word.getElementType(), bits.getSExtValue());
  }
  if (tensor.getType() != word) {
    tensor = parallel_generic(
        builder, loc, word, tensor,
        [](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange elements) -> Value {
          return arith::BitcastOp::create(nested, at, nested.getI32Type(), elements[0]);
        });
  }
  return scalar_of(builder, loc, tensor);
}

// The part of an entry of the argument block after the address.
mlir::Attribute entry_words(mlir::Builder& builder, mlir::RankedTensorType type,
                            const TensorLayout& layout) {
  const Tensor tensor{"", *element_of(type.getElementType()), {}, {}, true, false, ""};
  PlacedTensor placed{tensor, 0, layout.pitch, layout.bytes()};
  placed.tensor.dimensions.assign(type.getShape().begin(), type.getShape().end());
  const std::vector<std::uint8_t> bytes = argument_entries(std::span(&placed, 1));
  llvm::SmallVector<std::int32_t> words(argument_words);
  std::memcpy(words.data(), bytes.data(), 4 * words.size());
  return builder.getDenseI32ArrayAttr(words);
}

class FunctionCall {
 public:
  FunctionCall(Lowering& lowering, mlir::Operation* op)
      : lowering_(lowering), builder_(lowering.builder), op_(op), said_(attribute::call.get(op)) {}

  mlir::FailureOr<Values> run() {
    const auto kinds = said_.getAs<mlir::ArrayAttr>("kinds");
    const auto words = said_.getAs<mlir::IntegerAttr>("vmem_words");
    if (!kinds || !words) return op_->emitError("internal: a call of what has not been linked");
    for (const auto kind : kinds.getAsRange<mlir::StringAttr>()) {
      if (mlir::failed(parameter(kind.getValue()))) return mlir::failure();
    }
    const auto rows =
        mlir::MemRefType::get({std::max<std::int64_t>(1, words.getInt())}, builder_.getI32Type(),
                              mlir::MemRefLayoutAttrInterface(), builder_.getStringAttr("vmem"));
    const Value vmem = memref::AllocOp::create(builder_, loc_, rows);
    // Other buffers are below it (tiled/place_in_vmem.cpp).
    attribute::of_function.set(vmem.getDefiningOp());
    operands_.push_back(vmem);
    mlir::func::CallOp::create(builder_, loc_, declaration(), operands_);
    Values results;
    for (const auto& [type, buffer] : outputs_) {
      results.push_back(read(builder_, loc_, type, buffer));
    }
    return results;
  }

 private:
  mlir::LogicalResult parameter(llvm::StringRef kind) {
    if (kind == "number") {
      operands_.push_back(number(builder_, loc_, lowering_.map.lookup(op_->getOperand(input_++))));
      entries_.push_back(builder_.getDenseI32ArrayAttr({}));
      return mlir::success();
    }
    const bool is_input = kind != "out";
    const mlir::Type said =
        is_input ? op_->getOperand(input_).getType() : op_->getResult(output_).getType();
    const auto type = mlir::cast<mlir::RankedTensorType>(said);
    const auto layout = tensor_layout(*element_of(type.getElementType()), type.getShape(), most);
    if (!layout) return op_->emitError("no room: a tensor of a kernel has 8 GiB or more");
    const Buffer buffer = make_buffer(builder_, loc_, plain_tensor(type), *layout);
    if (is_input) write(builder_, loc_, lowering_.map.lookup(op_->getOperand(input_++)), buffer);
    if (kind != "in") {
      outputs_.emplace_back(plain_tensor(type), buffer);
      ++output_;
    }
    operands_.push_back(buffer.memory);
    entries_.push_back(entry_words(builder_, type, *layout));
    return mlir::success();
  }

  // A declaration for the kernel; equal ones are shared.
  mlir::func::FuncOp declaration() {
    auto module = builder_.getBlock()->getParentOp()->getParentOfType<mlir::ModuleOp>();
    const mlir::FunctionType type = builder_.getFunctionType(mlir::TypeRange(operands_), {});
    const std::array<mlir::NamedAttribute, 6> attributes{
        attribute::entries.named(builder_.getArrayAttr(entries_)),
        attribute::kernel.named(said_.getAs<mlir::StringAttr>("text")),
        attribute::function.named(said_.getAs<mlir::StringAttr>("function")),
        attribute::file.named(said_.getAs<mlir::StringAttr>("file")),
        attribute::preset.named(said_.getAs<mlir::StringAttr>("preset")),
        attribute::smem_words.named(said_.getAs<mlir::IntegerAttr>("smem_words"))};
    const auto like = [&](mlir::func::FuncOp other) {
      return other.getFunctionType() == type && llvm::all_of(attributes, [&](auto attribute) {
               return other->getAttr(attribute.getName()) == attribute.getValue();
             });
    };
    std::string name;
    for (unsigned i = 0; name.empty(); ++i) {
      const std::string next = "kernel_" + std::to_string(i);
      auto other = module.lookupSymbol<mlir::func::FuncOp>(next);
      if (other && like(other)) return other;
      if (!other) name = next;
    }
    mlir::OpBuilder::InsertionGuard guard(builder_);
    builder_.setInsertionPointToEnd(module.getBody());
    auto function = mlir::func::FuncOp::create(builder_, loc_, name, type);
    function.setPrivate();
    for (const mlir::NamedAttribute& attribute : attributes) {
      function->setAttr(attribute.getName(), attribute.getValue());
    }
    return function;
  }

  static constexpr std::uint64_t most = std::uint64_t{1} << 33U;

  Lowering& lowering_;
  mlir::OpBuilder& builder_;
  mlir::Operation* op_;
  mlir::DictionaryAttr said_;
  mlir::Location loc_ = op_->getLoc();
  unsigned input_ = 0;
  unsigned output_ = 0;
  Values operands_;
  llvm::SmallVector<mlir::Attribute> entries_;
  llvm::SmallVector<std::pair<mlir::RankedTensorType, Buffer>> outputs_;
};

}  // namespace

mlir::FailureOr<Values> lower_function_call(Lowering& lowering, mlir::Operation* op) {
  return FunctionCall(lowering, op).run();
}

}  // namespace tandem::compiler
