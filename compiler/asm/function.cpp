#include "compiler/asm/function.hpp"

#include <fmt/format.h>

#include "compiler/asm/kernel_text.hpp"
#include "compiler/asm/operands.hpp"
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/places.hpp"
#include "compiler/tpu/dialect.hpp"
#include "compiler/tpu/start_copies.hpp"
#include "compiler/tpu/touches.hpp"
#include "isa/text/text.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tandem::compiler {
namespace {

// Whether the operand's field in the instruction takes a constant, and it is one.
bool is_immediate(const GivenOperand& given) {
  return given.operand->kind == OperandKind::vsource && given.operand->select.width != 0 &&
         given.value && !given.attribute && constant_word(given.value).has_value();
}

// In a sum or product the constant comes second, where the instruction has a field for it.
void order_sources(mlir::Operation* op, llvm::SmallVectorImpl<GivenOperand>& given) {
  const llvm::StringRef name = op->getName().stripDialect();
  if (!name.starts_with("vadd.") && !name.starts_with("vmul.")) return;
  const bool plain = !given[0].attribute && !given[1].attribute;
  if (plain && constant_word(given[0].value) && !constant_word(given[1].value)) {
    std::swap(given[0].value, given[1].value);
  }
}

}  // namespace

void FunctionText::line(const std::string& operation) { text_.add("        " + operation + "\n"); }

std::string FunctionText::fresh(mlir::Type type) { return fresh(register_file(type)); }

// Where the operations after this one come from.
void FunctionText::locate(mlir::Location loc) {
  llvm::SmallVector<mlir::FileLineColLoc> chain;
  source_chain(loc, chain);
  if (chain.empty()) return;
  std::string text = "        .loc ";
  for (const mlir::FileLineColLoc& place : chain) {
    text += fmt::format("{}{}, {}", &place == chain.begin() ? "" : ", ", place.getLine(),
                        quoted(place.getFilename().getValue().str()));
  }
  const std::string operation = operation_name(loc);
  text += operation.empty() ? "\n" : fmt::format(", operation {}\n", quoted(operation));
  if (text == last_place_) return;
  text_.add(text);
  last_place_ = std::move(text);
}

std::string FunctionText::name(Value value) {
  const std::optional<std::int64_t> constant = constant_word(value);
  if (!constant) return names_.lookup(value);
  if (value.getType().isInteger(1)) return *constant != 0 ? "p0" : "!p0";
  if (*constant == 0) return "s0";
  if (const auto found = hoisted_.find(*constant); found != hoisted_.end()) return found->second;
  const std::string moved = fresh('s');
  line(fmt::format("{} = mov {}", moved, *constant));
  return moved;
}

std::string FunctionText::name_or_constant(Value value) {
  const std::optional<std::int64_t> constant = constant_word(value);
  return constant && !value.getType().isInteger(1) ? std::to_string(*constant) : name(value);
}

std::string FunctionText::define(Value value) {
  std::string& name = names_[value];
  const auto given = given_.find(value);
  name = given != given_.end() ? given->second : fresh(value.getType());
  return name;
}

void FunctionText::move(const std::string& to, Value from) {
  switch (to[1]) {
    case 'v': return line(fmt::format("{} = vmov {}", to, name(from)));
    case 'm': return line(fmt::format("{} = mor {}, {}", to, name(from), name(from)));
    case 'p': return line(fmt::format("{} = por {}, {}", to, name(from), name(from)));
    default: return line(fmt::format("{} = mov {}", to, name_or_constant(from)));
  }
}

// Simultaneous moves: where one reads what another overwrites, all go through new registers.
void FunctionText::move_all(llvm::ArrayRef<std::string> to, Operands from, mlir::ValueRange own) {
  bool crosses = false;
  for (const auto [index, value] : llvm::enumerate(from)) {
    for (const auto [other, argument] : llvm::enumerate(own)) {
      crosses = crosses || (value == argument && index != other);
    }
  }
  llvm::SmallVector<std::string> between;
  for (const auto [index, value] : llvm::enumerate(from)) {
    if (!crosses && !own.empty() && value == own[index]) continue;
    if (!crosses && given_.contains(value) && given_.lookup(value) == to[index]) continue;
    if (!crosses) {
      move(to[index], value);
      continue;
    }
    between.push_back(fresh(value.getType()));
    move(between.back(), value);
  }
  for (const auto [target, source] : llvm::zip(to, between)) {
    line(move_text(target, source));
  }
}

// Constants that an innermost loop needs in registers are moved there once, before the loop.
void FunctionText::hoist_constants(mlir::Operation* loop) {
  constexpr std::size_t limit = 14;
  hoisted_.clear();
  std::map<std::int64_t, std::string> found;
  bool innermost = true;
  loop->walk([&](mlir::Operation* op) {
    innermost = innermost && (op == loop || !mlir::isa<mlir::scf::ForOp, mlir::scf::WhileOp>(op)) &&
                !calls_function(op);
    std::string ignored;
    auto given = given_operands(op, ignored);
    if (mlir::failed(given)) return;
    order_sources(op, *given);
    for (const GivenOperand& operand : *given) {
      if (!operand.value || is_immediate(operand)) continue;
      const auto constant = constant_word(operand.value);
      if (constant && *constant != 0 && !operand.value.getType().isInteger(1) &&
          found.size() < limit) {
        found[*constant];
      }
    }
  });
  if (!innermost) return;
  for (auto& [constant, name] : found) {
    name = fresh('s');
    line(fmt::format("{} = mov {}", name, constant));
  }
  hoisted_ = std::move(found);
}

mlir::LogicalResult FunctionText::block(mlir::Block& block) {
  for (mlir::Operation& op : block.without_terminator()) {
    if (mlir::failed(operation(&op))) return mlir::failure();
  }
  return mlir::success();
}

mlir::LogicalResult FunctionText::operation(mlir::Operation* op) {
  if (op->hasTrait<mlir::OpTrait::ConstantLike>() || is_at_start(op)) return mlir::success();
  locate(op->getLoc());
  if (instruction_of(op) != nullptr) return instruction(op);
  if (auto loop_op = mlir::dyn_cast<mlir::scf::ForOp>(op)) return loop(loop_op);
  if (auto loop_op = mlir::dyn_cast<mlir::scf::WhileOp>(op)) return loop(loop_op);
  if (auto choice = mlir::dyn_cast<mlir::scf::IfOp>(op)) return branch(choice);
  if (auto choice = mlir::dyn_cast<mlir::scf::IndexSwitchOp>(op)) return branch(choice);
  if (auto call = mlir::dyn_cast<mlir::func::CallOp>(op)) return kernel(call);
  return scalar(op);
}

// The kernel's lines, after the setup of its registers: word addresses in HBM, its first row of
// VMEM, its first word of SMEM. Kernels run one after the other and share the SMEM.
mlir::LogicalResult FunctionText::kernel(mlir::func::CallOp call) {
  auto module = call->getParentOfType<mlir::ModuleOp>();
  auto function = module.lookupSymbol<mlir::func::FuncOp>(call.getCallee());
  if (attribute::function.is_on(function)) return function_call(call);
  const auto lines = attribute::kernel.get(function);
  const auto inputs = attribute::inputs.get(function);
  const auto words = attribute::smem_words.get(function);
  if (!lines || !inputs || !words) return call.emitError("internal: a kernel without its text");
  const std::string prefix = fmt::format("k{}_", kernels_++);
  const unsigned buffers = call.getNumOperands() - 1;
  for (unsigned i = 0; i < buffers; ++i) {
    const bool is_input = i < inputs.getInt();
    move(fmt::format("%{}{}{}", prefix, is_input ? "arg" : "out",
                     is_input ? i : i - inputs.getInt()),
         call.getOperand(i));
  }
  move(fmt::format("%{}vmem", prefix), call.getOperand(buffers));
  line(fmt::format("%{}smem = mov kernels", prefix));
  kernel_words_ = std::max(kernel_words_, words.getInt());
  const BufferId vmem = touch_of(call.getLoc()).writes;
  std::string touches = fmt::format(".touches {}, {}", vmem, smem_buffer_);
  for (const Touch& touch : given_of(call.getLoc())) {
    touches += fmt::format(", {}, {}", touch.reads, touch.writes);
  }
  if (vmem != no_buffer) line(touches);
  text_.add(renamed(lines.getValue(), prefix) + "\n");  // its last line may lack a newline
  if (vmem != no_buffer) line(".touches 0, 0");
  last_place_.clear();
  return mlir::success();
}

void FunctionText::keep_only(std::vector<Descriptor> kept) {
  pool_ = std::move(kept);
  for (std::size_t i = 0; i < pool_.size(); ++i) {
    known_.emplace(pool_[i], i);
  }
  is_pool_full_ = true;
}

// A copy reads its descriptor when it issues, so the next one may be made in the same place.
void FunctionText::make_descriptor(const Descriptor& descriptor, std::int64_t at) {
  for (std::size_t word = 0; word < descriptor.size(); ++word) {
    line(fmt::format("ssti [{}], {}", at + static_cast<std::int64_t>(word), descriptor[word]));
  }
}

std::string FunctionText::rewritten(const Descriptor& descriptor) {
  if (pool_.empty()) pool_ = {written_ = descriptor};
  for (std::size_t word = 0; word < descriptor.size(); ++word) {
    if (descriptor[word] == written_[word]) continue;
    line(fmt::format("ssti [{}], {}", descriptors_at_ + static_cast<std::int64_t>(word),
                     descriptor[word]));
  }
  written_ = descriptor;
  return descriptor_operand(descriptors_at_);
}

// Descriptors below 512 are reached by a constant.
std::string FunctionText::descriptor_operand(std::int64_t at) {
  if (at < 512) return fmt::format("[{}]", at);
  const std::string base = fresh('s');
  line(fmt::format("{} = mov {}", base, at));
  return fmt::format("[{}]", base);
}

// Identical descriptors share a place; the first ones are within reach of a constant.
std::string FunctionText::descriptor_place(mlir::Operation* op) {
  const auto words = op->getAttrOfType<mlir::DenseI32ArrayAttr>("descriptor").asArrayRef();
  Descriptor descriptor(words.begin(), words.end());
  is_straight_ = is_straight_ && mlir::isa<mlir::func::FuncOp>(op->getParentOp());
  if (rewrites_) return rewritten(descriptor);
  auto entry = known_.find(descriptor);
  if (entry == known_.end() && !is_pool_full_) {
    entry = known_.emplace(descriptor, pool_.size()).first;
    pool_.push_back(descriptor);
    uses_.emplace_back(false, 0);
  }
  const std::size_t place = entry == known_.end() ? pool_.size() : entry->second;
  const auto at = descriptors_at_ + static_cast<std::int64_t>(16 * place);
  if (!is_pool_full_) {
    uses_[place].first |= op->getParentOfType<mlir::LoopLikeOpInterface>() != nullptr;
    ++uses_[place].second;
  } else if (entry == known_.end()) {
    make_descriptor(descriptor, at);
  }
  return descriptor_operand(at);
}

mlir::LogicalResult FunctionText::instruction(mlir::Operation* op) {
  std::string complaint;
  auto given = given_operands(op, complaint);
  if (mlir::failed(given)) return op->emitOpError(complaint);
  order_sources(op, *given);
  llvm::SmallVector<std::string> parts;
  for (const GivenOperand& operand : *given) {
    if (operand.operand->kind == OperandKind::descriptor) {
      parts.push_back(descriptor_place(op));
      continue;
    }
    const std::string text = is_immediate(operand)
                                 ? std::to_string(*constant_word(operand.value))
                                 : operand_text(operand, operand.value ? name(operand.value) : "");
    if (!text.empty()) parts.push_back(text);
  }
  std::string result;
  const Touch touch = touch_of(op->getLoc());
  if (touch.reads != no_buffer || touch.writes != no_buffer) {
    line(fmt::format(".touch {}, {}", touch.reads, touch.writes));
  }
  if (op->getNumResults() == 1) result = define(op->getResult(0)) + " = ";
  line(result + std::string(instruction_of(op)->mnemonic) + " " + llvm::join(parts, ", "));
  return mlir::success();
}

mlir::LogicalResult FunctionText::run(mlir::func::FuncOp function) {
  smem_buffer_ = static_cast<BufferId>(buffers_of(function).size()) + 1;
  has_function_calls_ = contains_function_call(function);
  if (mlir::failed(block(function.getBody().front()))) return mlir::failure();
  line("halt");
  return far_arms();
}

}  // namespace tandem::compiler
