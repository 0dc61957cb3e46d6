// Arguments and results have the shape in which the program works on them.
//
// Earlier passes have changed shapes of tensors, with reshapes from and to those of the launch. A
// buffer's rows in VMEM are those of its own shape, so a view with other rows would prevent them.
// The memory is the same, and the launch gets the original shape (tandem.shape).
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tensor/reshaped.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "compiler/views/packed_rows.hpp"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
namespace tensor = mlir::tensor;
using mlir::MemRefType;
using mlir::RankedTensorType;
using mlir::Value;
using mlir::bufferization::MaterializeInDestinationOp;
using mlir::bufferization::ToTensorOp;
using Shape = llvm::ArrayRef<std::int64_t>;

// An argument, the buffer of one element per word where it is packed, and its readers or writers.
struct Port {
  mlir::BlockArgument argument;
  Value buffer;
  mlir::Operation* end = nullptr;  // to_tensor or materialize_in_destination
};

std::optional<Port> port_of(mlir::BlockArgument argument) {
  if (!argument.hasOneUse() || !mlir::isa<MemRefType>(argument.getType())) return std::nullopt;
  Port port{argument, argument, *argument.user_begin()};
  if (auto copy = mlir::dyn_cast<memref::CopyOp>(port.end)) {
    port.buffer = copy.getSource() == argument ? copy.getTarget() : copy.getSource();
    if (!port.buffer.getDefiningOp<memref::AllocOp>()) return std::nullopt;
    const auto users = llvm::to_vector(port.buffer.getUsers());
    if (users.size() != 2) return std::nullopt;
    port.end = users.front() == copy ? users.back() : users.front();
  }
  if (!mlir::isa<ToTensorOp, MaterializeInDestinationOp>(port.end)) return std::nullopt;
  return port;
}

// The common shape to which all readers of this tensor first reshape it.
llvm::SmallVector<Value> wanted_of(Value read) {
  llvm::SmallVector<Value> wanted{read};
  for (;;) {
    llvm::SmallVector<Value> next;
    for (const Value value : wanted) {
      for (mlir::Operation* user : value.getUsers()) {
        if (!source_of_reshape(user)) return wanted;
        next.push_back(user->getResult(0));
      }
    }
    if (next.empty() ||
        !llvm::all_equal(llvm::map_range(next, [](Value value) { return value.getType(); }))) {
      return wanted;
    }
    wanted = std::move(next);
  }
}

// A result before any reshapes.
Value made_of(Value written) {
  while (const Value source = source_of_reshape(written.getDefiningOp())) written = source;
  return written;
}

// Whether the producer or reader of the tensor goes row by row, as products do with operands and
// results in VMEM.
bool goes_by_rows(mlir::Operation* op) {
  return mlir::isa_and_nonnull<mlir::linalg::GenericOp>(op);
}

// Whether rows of these sizes are the same memory: they must fill their words, and be longer, or as
// long with fewer dimensions before them.
bool is_same_memory(MemRefType type, Shape shape) {
  const Shape now = type.getShape();
  if (shape.empty() || now.empty() || shape.back() < now.back() ||
      (shape.back() == now.back() && shape.size() >= now.size())) {
    return false;
  }
  if (!type.getMemorySpace()) return true;
  const auto fills = [&](std::int64_t columns) {
    return columns % parts_of(type.getElementType()) == 0;
  };
  return fills(shape.back()) && fills(now.back());
}

void reshape(mlir::func::FuncOp function, const Port& port, Shape shape) {
  const auto argument = mlir::cast<MemRefType>(port.argument.getType());
  const unsigned number = port.argument.getArgNumber();
  if (!attribute::shape.get(function, number)) {
    attribute::shape.set(function, number, argument.getShape());
  }
  Value(port.argument)
      .setType(MemRefType::get(shape, argument.getElementType(), argument.getLayout(),
                               argument.getMemorySpace()));
  if (port.buffer != port.argument) {
    const auto type = mlir::cast<MemRefType>(port.buffer.getType());
    Value(port.buffer).setType(MemRefType::get(shape, type.getElementType()));
  }
}

void reshape_read(mlir::func::FuncOp function, const Port& port, ToTensorOp read) {
  const auto wanted = wanted_of(read.getResult());
  const auto shape = tensor_type_of(wanted.front()).getShape();
  const auto type = mlir::cast<MemRefType>(port.argument.getType());
  const bool by_rows = llvm::all_of(
      wanted, [](Value value) { return llvm::all_of(value.getUsers(), goes_by_rows); });
  if (wanted.front() == read.getResult() || !by_rows || !is_same_memory(type, shape)) return;
  reshape(function, port, shape);
  const auto element = tensor_type_of(read.getResult()).getElementType();
  mlir::OpBuilder builder(read);
  const Value anew =
      ToTensorOp::create(builder, read.getLoc(), RankedTensorType::get(shape, element), port.buffer,
                         read.getRestrict(), read.getWritable());
  for (const Value value : wanted) Value(value).replaceAllUsesWith(anew);
}

void reshape_written(mlir::func::FuncOp function, const Port& port,
                     MaterializeInDestinationOp write) {
  const Value made = made_of(write.getSource());
  const auto shape = tensor_type_of(made).getShape();
  const auto type = mlir::cast<MemRefType>(port.argument.getType());
  if (made == write.getSource() || !goes_by_rows(made.getDefiningOp()) ||
      !is_same_memory(type, shape)) {
    return;
  }
  reshape(function, port, shape);
  write.getSourceMutable().assign(made);
}

// A result without other users is computed in memory of its own shape, too.
void start_anew(MaterializeInDestinationOp write) {
  const Value made = write.getSource();
  auto maker = made.getDefiningOp<mlir::linalg::GenericOp>();
  if (!maker || !made.hasOneUse()) return;
  mlir::OpOperand* init =
      maker.getDpsInitOperand(mlir::cast<mlir::OpResult>(made).getResultNumber());
  const Value memory = made_of(init->get());
  if (memory == init->get() || !memory.getDefiningOp<tensor::EmptyOp>()) return;
  mlir::OpBuilder builder(maker);
  const RankedTensorType type = tensor_type_of(made);
  init->set(
      tensor::EmptyOp::create(builder, made.getLoc(), type.getShape(), type.getElementType()));
}

// Unused reshapes, with those that only they used.
void drop_unused(mlir::func::FuncOp function) {
  llvm::SmallVector<mlir::Operation*> all;
  function.walk([&](mlir::Operation* op) {
    if (source_of_reshape(op) || mlir::isa<ToTensorOp>(op)) all.push_back(op);
  });
  for (mlir::Operation* op : llvm::reverse(all)) {
    if (op->use_empty()) op->erase();
  }
}

struct ReshapeArguments : FunctionPass<ReshapeArguments, PassName::reshape_arguments> {
  void run() {
    mlir::func::FuncOp function = getOperation();
    if (function.getName() != "main") return;
    for (const mlir::BlockArgument argument : function.getArguments()) {
      const auto port = port_of(argument);
      if (!port) continue;
      if (auto read = mlir::dyn_cast<ToTensorOp>(port->end)) {
        reshape_read(function, *port, read);
      } else {
        reshape_written(function, *port, mlir::cast<MaterializeInDestinationOp>(port->end));
      }
    }
    drop_unused(function);
    function.walk(start_anew);
    mlir::Builder builder(function.getContext());
    function.setType(
        builder.getFunctionType(function.getBody().getArgumentTypes(), function.getResultTypes()));
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_reshape_arguments_pass() {
  return std::make_unique<ReshapeArguments>();
}

}  // namespace tandem::compiler
