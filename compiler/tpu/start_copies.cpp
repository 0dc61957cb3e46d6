#include "compiler/tpu/start_copies.hpp"

#include <optional>

#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tpu/dialect.hpp"
#include "compiler/tpu/smem_layout.hpp"
#include "compiler/tpu/touches.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace tandem::compiler {
namespace {

// The number of the tensor that the copy reads.
constexpr llvm::StringLiteral at_start = "at_start";

// A place in a tensor, in words.
struct InTensor {
  std::int64_t tensor = 0;
  std::int64_t offset = 0;
};

std::optional<InTensor> place_in_tensor(mlir::Value address) {
  if (auto sum = address.getDefiningOp<mlir::arith::AddIOp>()) {
    auto place = place_in_tensor(sum.getLhs());
    const auto offset = mlir::getConstantIntValue(sum.getRhs());
    if (!place || !offset) return std::nullopt;
    place->offset += *offset;
    return place;
  }
  mlir::Operation* op = address.getDefiningOp();
  if (op == nullptr || !is_named(op, "sld") || !op->hasAttr("absolute")) return std::nullopt;
  const std::int64_t word = op->getAttrOfType<mlir::IntegerAttr>("address").getInt();
  const std::int64_t tensor = word / argument_words;
  if (word != SmemLayout::base_of(tensor)) return std::nullopt;
  return InTensor{tensor, 0};
}

class StartCopies {
 public:
  explicit StartCopies(mlir::func::FuncOp function)
      : block_(function.getBody().front()),
        tensors_(static_cast<std::int64_t>(attribute::tensors.get(function).size())) {}

  void run() {
    std::size_t count = 0;
    for (mlir::Operation& op : llvm::make_early_inc_range(block_.without_terminator())) {
      if (count == most_start_copies || !passes(op)) return;
      if (!is_named(&op, "copy")) continue;
      const auto copy = start_copy(&op);
      if (!copy) return;
      mark(&op, *copy);
      ++count;
    }
  }

 private:
  // Whether copies after the operation may start before it: it touches neither VMEM nor HBM, nor
  // flags.
  static bool passes(mlir::Operation& op) {
    if (op.getNumRegions() != 0) return false;
    const Instruction* row = instruction_of(&op);
    if (row == nullptr) return mlir::isa<mlir::arith::ArithDialect>(op.getDialect());
    if (row->mnemonic == "copy" || row->mnemonic == "sld") return true;
    return row->group == Group::valu || row->group == Group::cross || row->group == Group::matrix;
  }

  [[nodiscard]] std::optional<StartCopy> start_copy(mlir::Operation* op) const {
    const auto source = place_in_tensor(op->getOperand(0));
    const auto target = mlir::getConstantIntValue(op->getOperand(1));
    const auto words = descriptor_words_of(op);
    if (!source || source->tensor >= tensors_ || !target || !words) return std::nullopt;
    CopyDescriptor fields = descriptor_of(*words);
    fields.source += static_cast<std::uint64_t>(4 * source->offset);
    fields.destination += static_cast<std::uint64_t>(4 * *target);
    StartCopy copy{static_cast<std::uint32_t>(source->tensor), 0, fields.words()};
    if (!start_copy_trouble(copy.words).empty()) return std::nullopt;
    return copy;
  }

  void mark(mlir::Operation* op, const StartCopy& copy) {
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(&block_);
    const mlir::Value zero = mlir::arith::ConstantIndexOp::create(builder, op->getLoc(), 0);
    const llvm::SmallVector<std::int32_t> words(copy.words.begin(), copy.words.end());
    const mlir::Value source = op->getOperand(0);
    op->setOperands({zero, zero});
    op->setAttr("descriptor", builder.getDenseI32ArrayAttr(words));
    op->setAttr(at_start, builder.getI64IntegerAttr(copy.tensor));
    erase_unused(source.getDefiningOp());
  }

  // What computed the address only.
  static void erase_unused(mlir::Operation* op) {
    if (!op->use_empty()) return;
    const llvm::SmallVector<mlir::Value> operands(op->getOperands());
    op->erase();
    for (const mlir::Value operand : operands) erase_unused(operand.getDefiningOp());
  }

  mlir::Block& block_;
  std::int64_t tensors_;
};

struct StartCopiesPass : FunctionPass<StartCopiesPass, PassName::start_copies> {
  void run() { StartCopies(getOperation()).run(); }
};

}  // namespace

bool is_at_start(mlir::Operation* op) { return op->hasAttr(at_start); }

std::vector<StartCopy> start_copies_of(mlir::func::FuncOp function) {
  std::vector<StartCopy> copies;
  for (mlir::Operation& op : function.getBody().front()) {
    if (!is_at_start(&op)) continue;
    const auto tensor = op.getAttrOfType<mlir::IntegerAttr>(at_start).getInt();
    copies.push_back({static_cast<std::uint32_t>(tensor), touch_of(op.getLoc()).writes,
                      *descriptor_words_of(&op)});
  }
  return copies;
}

std::unique_ptr<mlir::Pass> make_start_copies_pass() { return std::make_unique<StartCopiesPass>(); }

}  // namespace tandem::compiler
