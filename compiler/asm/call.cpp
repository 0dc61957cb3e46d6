// Calls of functions in assembly.
//
// A function may overwrite every register and ends the linear block around it, since a block has no
// frame when it calls. So a call that each run reaches once is placed between two blocks, and only
// a call in a loop or branch is inside a block. Values that live across it are kept in words of
// SMEM; vectors and masks are computed again. A separate block for each kind of call sets the
// registers that the function expects, so the program's block gives up no register for that:
//
//   %t = shl %address, 2                .linear kernel_call_0
//   sst [kernels + 0], %t               %entries = mov kernels
//   ...                                 ssti [%entries + 2], 0     # the rest of the entry
//   sst [kernels + B], %lives           s4 = mov kernels + 0
//   s1 = call kernel_call_0             br softmax
//   %lives = sld [kernels + B]          .endlinear
//
// SMEM at `kernels`: an entry of 16 words for each parameter (a scalar is in the first word), the
// function's words below s2, then the saved values.
#include <fmt/format.h>

#include "compiler/asm/function.hpp"
#include "compiler/asm/live_across.hpp"
#include "compiler/asm/operands.hpp"
#include "compiler/contract/attributes.hpp"
#include "compiler/tpu/same_instruction.hpp"
#include "isa/launch/argument.hpp"
#include "isa/object/function.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler {
namespace {

using mlir::Value;

mlir::func::FuncOp callee_of(mlir::func::CallOp call) {
  return call->getParentOfType<mlir::ModuleOp>().lookupSymbol<mlir::func::FuncOp>(call.getCallee());
}

std::string word_of_kernels(std::int64_t word) { return fmt::format("kernels + {}", word); }

bool is_scalar(Value value) {
  const char file = register_file(value.getType());
  return file == 's' || file == 'p';
}

// Whether its register may be overwritten before the end of its life in the program.
bool may_be_reused(Value value) {
  const auto argument = mlir::dyn_cast<mlir::BlockArgument>(value);
  return argument && mlir::isa<mlir::scf::ForOp>(argument.getOwner()->getParentOp());
}

mlir::Operation* without_casts(Value& value) {
  while (auto* made = value.getDefiningOp()) {
    if (!mlir::isa<mlir::arith::IndexCastOp, mlir::arith::IndexCastUIOp>(made)) return made;
    value = made->getOperand(0);
  }
  return nullptr;
}

}  // namespace

bool calls_function(mlir::Operation* op) {
  auto call = mlir::dyn_cast<mlir::func::CallOp>(op);
  return call && callee_of(call) && attribute::function.is_on(callee_of(call));
}

bool contains_function_call(mlir::Operation* op) {
  return op
      ->walk([](mlir::Operation* inner) {
        return calls_function(inner) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

// The values computed again, operands first; the values saved in memory for that.
mlir::LogicalResult FunctionText::recompute(Value value, const llvm::SetVector<Value>& live,
                                            Waiting& waiting) {
  mlir::Operation* made = without_casts(value);
  if (constant_word(value) || waiting.again.contains(value)) return mlir::success();
  if (is_scalar(value)) {
    if (may_be_reused(value) && !live.contains(value)) return mlir::failure();
    waiting.names.insert(names_.lookup(value));
    return mlir::success();
  }
  if (made == nullptr || !only_computes(made)) return mlir::failure();
  for (const Value operand : made->getOperands()) {
    if (mlir::failed(recompute(operand, live, waiting))) return mlir::failure();
  }
  waiting.again.insert(value);
  return mlir::success();
}

void FunctionText::save(const Waiting& waiting, std::int64_t at) {
  for (const std::string& name : waiting.names) {
    std::string word = name;
    if (name[1] == 'p') {
      const std::string one = fresh('s');
      word = fresh('s');
      line(fmt::format("{} = mov 1", one));
      line(fmt::format("{} = sel {}, {}, 0", word, name, one));
    }
    line(fmt::format("sst [{}], {}", word_of_kernels(at++), word));
  }
}

mlir::LogicalResult FunctionText::restore(const Waiting& waiting, std::int64_t at) {
  for (const std::string& name : waiting.names) {
    const std::string word = name[1] == 'p' ? fresh('s') : name;
    line(fmt::format("{} = sld [{}]", word, word_of_kernels(at++)));
    if (name[1] == 'p') line(fmt::format("{} = ne {}, 0", name, word));
  }
  for (const Value value : waiting.again) {
    given_[value] = names_.lookup(value);
    if (mlir::failed(instruction(value.getDefiningOp()))) return mlir::failure();
  }
  return mlir::success();
}

// Addresses and scalars, which only the program knows; the function counts HBM in bytes.
void FunctionText::pass(mlir::func::CallOp call, mlir::ArrayAttr entries) {
  for (unsigned i = 0; i < entries.size(); ++i) {
    const std::int64_t at = std::int64_t{argument_words} * i;
    const std::string value = name(call.getOperand(i));
    if (mlir::cast<mlir::DenseI32ArrayAttr>(entries[i]).empty()) {
      line(fmt::format("sst [{}], {}", word_of_kernels(at), value));
      continue;
    }
    const std::string low = fresh('s');
    const std::string high = fresh('s');
    line(fmt::format("{} = shl {}, 2", low, value));
    line(fmt::format("{} = shr {}, 30", high, value));
    line(fmt::format("sst [{}], {}", word_of_kernels(at), low));
    line(fmt::format("sst [{}], {}", word_of_kernels(at + 1), high));
    const std::int64_t whole = at + argument_field::word_address.word;
    line(fmt::format("sst [{}], {}", word_of_kernels(whole), value));
  }
}

// The block that sets the function's registers and jumps to it; calls that are alike share one.
std::string FunctionText::bridge(mlir::func::FuncOp function, mlir::ArrayAttr entries,
                                 std::int64_t row, std::int64_t stack) {
  const std::string target = attribute::function.get(function).getValue().str();
  functions_.insert(target);
  const auto [known, is_new] = bridges_.try_emplace({function.getName().str(), row},
                                                    fmt::format("kernel_call_{}", bridges_.size()));
  if (!is_new) return known->second;
  const auto add = [this](const std::string& text) { behind_ += "        " + text + "\n"; };
  behind_ += last_place_;
  add(".linear " + known->second);
  add("%entries = mov kernels");
  constexpr std::size_t address = argument_field::word_address.word;  // as pass() stores it
  for (unsigned i = 0; i < entries.size(); ++i) {
    const std::int64_t at = std::int64_t{argument_words} * i;
    const unsigned parameter = first_parameter_register + i;
    const auto words = mlir::cast<mlir::DenseI32ArrayAttr>(entries[i]).asArrayRef();
    for (std::size_t word = 2; word < std::min<std::size_t>(words.size(), address); ++word) {
      add(fmt::format("ssti [%entries + {}], {}", at + static_cast<std::int64_t>(word),
                      words[word]));
    }
    add(words.empty() ? fmt::format("s{} = sld [{}]", parameter, word_of_kernels(at))
                      : fmt::format("s{} = mov {}", parameter, word_of_kernels(at)));
  }
  add(fmt::format("s2 = mov {}", word_of_kernels(stack)));
  add(fmt::format("s3 = mov {}", row));
  add("br " + target);
  add(".endlinear");
  return known->second;
}

mlir::LogicalResult FunctionText::function_call(mlir::func::CallOp call) {
  mlir::func::FuncOp function = callee_of(call);
  const auto entries = attribute::entries.get(function);
  const auto words = attribute::smem_words.get(function);
  const auto row = constant_word(call.getOperands().back());
  if (!entries || !words || !row || entries.size() + 1 != call.getNumOperands()) {
    return call.emitError("internal: a call of a kernel without its declaration");
  }
  const llvm::SetVector<Value> live = live_across(call);
  Waiting waiting;
  for (const Value value : live) {
    if (mlir::succeeded(recompute(value, live, waiting))) continue;
    return call.emitError("unimplemented: a ")
           << value.getType() << " that lives across the call of a kernel";
  }
  const std::int64_t stack =
      std::int64_t{argument_words} * static_cast<std::int64_t>(entries.size()) +
      (words.getInt() + 15) / 16 * 16;
  kernel_words_ = std::max(kernel_words_, stack + static_cast<std::int64_t>(waiting.names.size()));
  hoisted_.clear();
  pass(call, entries);
  save(waiting, stack);
  const bool ends_block = mlir::isa<mlir::func::FuncOp>(call->getParentOp());
  if (ends_block) line(".endlinear");
  line("s1 = call " + bridge(function, entries, *row, stack));
  if (ends_block) text_.leave_beginning();
  return restore(waiting, stack);
}

}  // namespace tandem::compiler
