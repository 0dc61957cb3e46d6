// A call of a Pallas kernel: loops over the grid around its body, in the program's own text.
//
//   operands   are read in place; results have memory of their own in HBM, or that of the
//              operand they are aliased with
//   windows    are buffers in VMEM that live as long as the grid. Each is loaded in the innermost
//              loop that its position depends on, and only when that has changed, and stored after
//              the loops that it does not depend on
//   scratch    is a buffer in VMEM, too
//
// An array whose extents are no multiples of its blocks is padded to the last block's end.
#include "compiler/contract/attributes.hpp"
#include "compiler/mosaic/verify.hpp"
#include "compiler/tensor/lowering/handlers.hpp"
#include "compiler/tensor/pallas/grid.hpp"
#include "compiler/tensor/pallas/translation.hpp"
#include "compiler/tensor/reshaped.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace pallas {
namespace {

namespace bufferization = mlir::bufferization;
namespace memref = mlir::memref;
namespace tensor = mlir::tensor;
using List = llvm::SmallVector<std::int64_t>;

mlir::RankedTensorType tensor_type(Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

mlir::MemRefType buffer_type(mlir::RankedTensorType type) {
  return mlir::MemRefType::get(type.getShape(), type.getElementType());
}

class KernelCall {
 public:
  KernelCall(Lowering& lowering, Operation* op, const mosaic::Module& module)
      : lowering_(lowering), builder_(lowering.builder), op_(op), module_(module) {}

  mlir::FailureOr<Values> run() {
    if (mlir::failed(verify()) || mlir::failed(count()) || mlir::failed(check_windows()) ||
        mlir::failed(find_aliases())) {
      return mlir::failure();
    }
    const llvm::DenseMap<Value, Value> shared = shared_arguments();
    const mosaic::Accesses accesses(*module_.body, shared);
    Translation translation(builder_, op_, &accesses);
    Grid grid(translation, op_, module_);
    set_bounds(translation, grid);
    if (mlir::failed(set_operands(translation, grid)) ||
        mlir::failed(set_results(translation, grid)) || mlir::failed(set_scratch(translation))) {
      return mlir::failure();
    }
    if (mlir::failed(grid.run())) return mlir::failure();
    for (const auto& [window, buffer] : whole_results_) {
      memref::CopyOp::create(builder_, loc_, window, buffer);
    }
    return results();
  }

 private:
  mlir::LogicalResult verify() {
    llvm::SmallVector<mlir::Block*> blocks{module_.body};
    for (const mosaic::Window& window : module_.windows) {
      if (window.transform != nullptr) blocks.push_back(window.transform);
    }
    for (mlir::Block* block : blocks) {
      const mosaic::Fault fault = mosaic::fault_of(*block);
      if (fault.what.empty()) continue;
      return Translation(builder_, op_, nullptr).error(fault.op)
             << "a damaged Pallas kernel: " << mosaic::name_of(fault.op) << ": " << fault.what;
    }
    return mlir::success();
  }

  mlir::LogicalResult count() {
    const auto grid = static_cast<std::int64_t>(module_.grid.size());
    dynamic_ = llvm::count(module_.grid, mosaic::dynamic_bound);
    inputs_ = static_cast<std::int64_t>(op_->getNumOperands()) - dynamic_ - module_.prefetched;
    outputs_ = op_->getNumResults();
    const std::int64_t all = grid + module_.prefetched + inputs_ + outputs_ + module_.scratch;
    const auto windows = static_cast<std::int64_t>(module_.windows.size());
    if (inputs_ < 0 || all != module_.body->getNumArguments() ||
        (windows != 0 && windows != inputs_ + outputs_)) {
      return op_->emitError("a Pallas kernel that does not take what its call gives it");
    }
    first_ = grid;
    return mlir::success();
  }

  // An argument of the kernel by its number after the grid's indices.
  [[nodiscard]] mlir::BlockArgument argument(std::int64_t number) const {
    return module_.body->getArgument(static_cast<unsigned>(first_ + number));
  }
  [[nodiscard]] mlir::BlockArgument output(std::int64_t number) const {
    return argument(module_.prefetched + inputs_ + number);
  }
  [[nodiscard]] const mosaic::Window* window(std::int64_t number) const {
    if (module_.windows.empty()) return nullptr;
    const mosaic::Window& found = module_.windows[static_cast<std::size_t>(number)];
    return found.transform == nullptr ? nullptr : &found;
  }

  // Whether each window has a position and a size in each dimension of its array.
  mlir::LogicalResult check_windows() const {
    const auto takes = module_.grid.size() + static_cast<std::size_t>(module_.prefetched);
    for (const auto [number, window] : llvm::enumerate(module_.windows)) {
      if (window.transform == nullptr) continue;
      const bool is_input = static_cast<std::int64_t>(number) < inputs_;
      const auto first =
          static_cast<std::int64_t>(number) + (is_input ? dynamic_ + module_.prefetched : -inputs_);
      const mlir::Type type = is_input ? op_->getOperand(static_cast<unsigned>(first)).getType()
                                       : op_->getResult(static_cast<unsigned>(first)).getType();
      const auto rank =
          static_cast<std::size_t>(mlir::cast<mlir::RankedTensorType>(type).getRank());
      const auto near = mlir::dyn_cast<mlir::MemRefType>(
          argument(module_.prefetched + static_cast<std::int64_t>(number)).getType());
      const mlir::OperandRange places = window.transform->back().getOperands();
      const bool fits =
          window.block.size() == rank && places.size() == rank && near &&
          near.getShape() == llvm::ArrayRef(window.block) &&
          window.transform->getNumArguments() == takes &&
          llvm::all_of(window.block, [](std::int64_t size) { return size > 0; }) &&
          llvm::all_of(places, [](Value place) { return place.getType().isInteger(32); });
      if (!fits)
        return op_->emitError("a Pallas kernel with a damaged window of argument ") << number;
    }
    return mlir::success();
  }

  // For each result the operand whose memory it has, or -1.
  mlir::LogicalResult find_aliases() {
    aliases_.assign(outputs_, -1);
    const auto all = op_->getAttrOfType<mlir::ArrayAttr>("output_operand_aliases");
    for (const mlir::Attribute entry : all ? all.getValue() : llvm::ArrayRef<mlir::Attribute>()) {
      const auto numbers = mlir::dyn_cast<mlir::DenseI64ArrayAttr>(entry);
      const std::int64_t operand = numbers && !numbers.empty() ? numbers[0] : -1;
      const std::int64_t result = numbers && numbers.size() == 2 ? numbers[1] : 0;
      if (operand < dynamic_ || operand >= op_->getNumOperands() || result < 0 ||
          result >= outputs_ || (numbers.size() != 2 && outputs_ != 1)) {
        return op_->emitError("a Pallas kernel with a damaged alias of a result");
      }
      aliases_[static_cast<std::size_t>(result)] = operand - dynamic_;
    }
    return mlir::success();
  }

  // Arguments that are operands in HBM, with the results that share their memory.
  [[nodiscard]] llvm::DenseMap<Value, Value> shared_arguments() const {
    llvm::DenseMap<Value, Value> shared;
    for (const auto [result, operand] : llvm::enumerate(aliases_)) {
      if (operand >= 0) shared[output(static_cast<std::int64_t>(result))] = argument(operand);
    }
    return shared;
  }

  void set_bounds(Translation& translation, Grid& grid) {
    unsigned next = 0;
    for (const std::int64_t bound : module_.grid) {
      const bool is_known = bound != mosaic::dynamic_bound;
      const Value words = is_known ? mlir::arith::ConstantIntOp::create(builder_, loc_, bound, 32)
                                   : scalar_of(builder_, loc_, operand(next++));
      translation.bounds.push_back(words);
      grid.add_loop(is_known ? index_constant(builder_, loc_, bound)
                             : mlir::arith::IndexCastOp::create(builder_, loc_,
                                                                builder_.getIndexType(), words),
                    bound);
    }
  }

  [[nodiscard]] Value operand(unsigned number) const {
    return lowering_.map.lookup(op_->getOperand(number));
  }

  // The extents up to the end of the last block.
  static List whole_blocks(llvm::ArrayRef<std::int64_t> shape, const mosaic::Window* window) {
    List result(shape);
    if (window == nullptr) return result;
    for (const auto [size, block] : llvm::zip(result, window->block)) {
      size = (size + block - 1) / block * block;
    }
    return result;
  }

  // The tensor in the form of its argument: booleans are words, and there are no arrays of rank 0.
  mlir::FailureOr<Value> as_argument(Translation& translation, Value value,
                                     mlir::BlockArgument argument, const mosaic::Window* window) {
    const auto type = mlir::cast<mlir::MemRefType>(argument.getType());
    const mlir::Type kind = translation.element(op_, type.getElementType());
    if (!kind) return mlir::failure();
    const mlir::Type from = tensor_type(value).getElementType();
    if (from != kind) {
      if (!from.isInteger(1) || !kind.isInteger(32)) {
        return op_->emitError("a Pallas kernel that takes ")
               << kind << " where " << from << " comes";
      }
      value = parallel_generic(
          builder_, loc_, tensor_type(value).clone(kind), value,
          [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange elements) -> Value {
            return mlir::arith::ExtUIOp::create(nested, at, kind, elements[0]);
          });
    }
    if (window == nullptr && type.getNumElements() == tensor_type(value).getNumElements()) {
      return reshaped(builder_, loc_, value, mlir::RankedTensorType::get(type.getShape(), kind));
    }
    const List whole = whole_blocks(tensor_type(value).getShape(), window);
    if (llvm::ArrayRef(whole) == tensor_type(value).getShape()) return value;
    const List none(whole.size(), 0);
    List more;
    for (const auto [all, size] : llvm::zip(whole, tensor_type(value).getShape())) {
      more.push_back(all - size);
    }
    const Value zero = mlir::arith::ConstantOp::create(builder_, loc_, builder_.getZeroAttr(kind));
    return padded(builder_, loc_, value, zero, none, more, none);
  }

  mlir::LogicalResult set_operands(Translation& translation, Grid& grid) {
    for (std::int64_t i = 0; i < module_.prefetched + inputs_; ++i) {
      const mlir::BlockArgument to = argument(i);
      const mosaic::Window* place =
          i < module_.prefetched ? nullptr : window(i - module_.prefetched);
      const auto value =
          as_argument(translation, operand(static_cast<unsigned>(dynamic_ + i)), to, place);
      if (mlir::failed(value)) return mlir::failure();
      const mlir::MemRefType type = buffer_type(tensor_type(*value));
      Value buffer = llvm::is_contained(aliases_, i) ? Value() : memory_of(*value);
      if (!buffer) {
        // Only those in VMEM need no other place.
        buffer = place == nullptr && is_near(to) && !llvm::is_contained(aliases_, i)
                     ? near_buffer(type, type.getShape())
                     : memref::AllocOp::create(builder_, loc_, type).getResult();
        bufferization::MaterializeInDestinationOp::create(builder_, loc_, mlir::Type(), *value,
                                                          buffer,
                                                          /*restrict=*/true, /*writable=*/true);
      }
      memory_.push_back(buffer);
      if (place != nullptr) {
        const Value near = near_buffer(type, place->block);
        grid.add_window(*place, buffer, near, true, false);
        buffer = near;
      } else if (is_near(to) && !is_window(buffer)) {
        const Value near = near_buffer(type, type.getShape());
        memref::CopyOp::create(builder_, loc_, buffer, near);
        buffer = near;
      }
      translation.set(to, buffer);
    }
    return mlir::success();
  }

  // The memory of the tensor, if it has some that is not written; null otherwise. During
  // bufferization it is not visible that the kernel reads its memory.
  Value memory_of(Value value) {
    if (auto read = value.getDefiningOp<bufferization::ToTensorOp>()) {
      read.setWritable(false);
      return read.getBuffer();
    }
    if (!value.getDefiningOp<mlir::arith::ConstantOp>()) return {};
    return bufferization::ToBufferOp::create(builder_, loc_, buffer_type(tensor_type(value)), value,
                                             /*read_only=*/true);
  }

  static bool is_window(Value buffer) {
    mlir::Operation* made = buffer.getDefiningOp();
    return made != nullptr && attribute::window.is_on(made);
  }

  // Whether the whole array is in VMEM.
  static bool is_near(mlir::BlockArgument argument) {
    return mosaic::space_of(mlir::cast<mlir::MemRefType>(argument.getType())) == "vmem";
  }

  Value near_buffer(mlir::MemRefType type, llvm::ArrayRef<std::int64_t> shape) {
    return window_buffer(builder_, loc_, mlir::MemRefType::get(shape, type.getElementType()));
  }

  mlir::LogicalResult set_results(Translation& translation, Grid& grid) {
    for (std::int64_t i = 0; i < outputs_; ++i) {
      const mlir::BlockArgument to = output(i);
      const auto type = mlir::cast<mlir::MemRefType>(to.getType());
      const mlir::Type kind = translation.element(op_, type.getElementType());
      if (!kind) return mlir::failure();
      const mosaic::Window* place = window(inputs_ + i);
      const auto wanted = plain_tensor(op_->getResult(static_cast<unsigned>(i)).getType());
      const bool has_alias = aliases_[static_cast<std::size_t>(i)] >= 0;
      const List shape =
          place != nullptr ? whole_blocks(wanted.getShape(), place) : List(type.getShape());
      Value buffer;
      if (has_alias) {
        buffer = memory_[static_cast<std::size_t>(aliases_[static_cast<std::size_t>(i)])];
        if (mlir::cast<mlir::MemRefType>(buffer.getType()).getShape() != llvm::ArrayRef(shape)) {
          return op_->emitError(
              "unimplemented: a Pallas kernel whose result has other blocks than the "
              "operand that it is aliased with");
        }
      } else {
        buffer = memref::AllocOp::create(builder_, loc_, mlir::MemRefType::get(shape, kind));
      }
      memory_.push_back(buffer);
      if (place != nullptr) {
        const Value near = near_buffer(mlir::MemRefType::get(shape, kind), place->block);
        grid.add_window(*place, buffer, near, has_alias, true);
        translation.set(to, near);
      } else if (is_near(to)) {
        const Value near = near_buffer(mlir::MemRefType::get(shape, kind), shape);
        if (has_alias) memref::CopyOp::create(builder_, loc_, buffer, near);
        whole_results_.emplace_back(near, buffer);
        translation.set(to, near);
      } else {
        translation.set(to, buffer);
      }
    }
    return mlir::success();
  }

  mlir::LogicalResult set_scratch(Translation& translation) {
    for (std::int64_t i = 0; i < module_.scratch; ++i) {
      const mlir::BlockArgument to = argument(module_.prefetched + inputs_ + outputs_ + i);
      const auto type = mlir::dyn_cast<mlir::MemRefType>(to.getType());
      if (!type)
        return op_->emitError("unimplemented: a Pallas kernel's scratch that is no buffer");
      if (mosaic::is_semaphore(type)) continue;
      const mlir::Type kind = translation.element(op_, type.getElementType());
      if (!kind) return mlir::failure();
      const auto shape = mlir::MemRefType::get(type.getShape(), kind);
      translation.set(to, mosaic::space_of(type) == "vmem"
                              ? near_buffer(shape, type.getShape())
                              : memref::AllocOp::create(builder_, loc_, shape).getResult());
    }
    return mlir::success();
  }

  Values results() {
    Values all;
    for (std::int64_t i = 0; i < outputs_; ++i) {
      const Value buffer = memory_[static_cast<std::size_t>(module_.prefetched + inputs_ + i)];
      const auto type = mlir::cast<mlir::MemRefType>(buffer.getType());
      const auto wanted = plain_tensor(op_->getResult(static_cast<unsigned>(i)).getType());
      Value value = bufferization::ToTensorOp::create(
          builder_, loc_, mlir::RankedTensorType::get(type.getShape(), type.getElementType()),
          buffer,
          /*restrict=*/true);
      all.push_back(as_result(value, wanted));
    }
    return all;
  }

  Value as_result(Value value, mlir::RankedTensorType wanted) {
    const auto fold = [&](llvm::ArrayRef<std::int64_t> list) {
      return mlir::getAsIndexOpFoldResult(builder_.getContext(), list);
    };
    const mlir::RankedTensorType type = tensor_type(value);
    if (type.getShape() != wanted.getShape()) {
      const List none(type.getRank(), 0);
      const List ones(type.getRank(), 1);
      const bool is_scalar = wanted.getRank() == 0;
      value = tensor::ExtractSliceOp::create(
          builder_, loc_, mlir::RankedTensorType::get(wanted.getShape(), type.getElementType()),
          value, fold(none), fold(is_scalar ? ones : List(wanted.getShape())), fold(ones));
    }
    return narrowed(lowering_, loc_, value, wanted);
  }

  Lowering& lowering_;
  mlir::OpBuilder& builder_;
  Operation* op_;
  const mosaic::Module& module_;
  mlir::Location loc_ = op_->getLoc();
  std::int64_t dynamic_ = 0;
  std::int64_t inputs_ = 0;
  std::int64_t outputs_ = 0;
  std::int64_t first_ = 0;
  List aliases_;
  Values memory_;  // for operands, then for results
  llvm::SmallVector<std::pair<Value, Value>> whole_results_;
};

}  // namespace
}  // namespace pallas

mlir::FailureOr<Values> lower_pallas_call(Lowering& lowering, mlir::Operation* op) {
  const auto module = mosaic::read_module(op);
  if (mlir::failed(module)) return mlir::failure();
  return pallas::KernelCall(lowering, op, *module).run();
}

}  // namespace tandem::compiler
