// The body of @main as lines of linear assembly.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/asm/open_text.hpp"
#include "isa/parameters.hpp"
#include "isa/source/buffer_table.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler {

using Descriptor = std::vector<std::int32_t>;

// Whether the operation, or one inside it, calls a function in assembly.
bool calls_function(mlir::Operation* op);
bool contains_function_call(mlir::Operation* op);

class FunctionText {
 public:
  explicit FunctionText(std::int64_t descriptors) : descriptors_at_(descriptors) {}

  mlir::LogicalResult run(mlir::func::FuncOp function);

  [[nodiscard]] const OpenText& text() const { return text_; }
  // The different descriptors, in the order of their places in SMEM.
  [[nodiscard]] const std::vector<Descriptor>& pool() const { return pool_; }
  // The cost of making each of these anew at every use: those in loops first.
  [[nodiscard]] const std::vector<std::pair<bool, unsigned>>& uses() const { return uses_; }
  // Before run(): only these have places of their own. All others are made at each use by stores,
  // in the one place after them.
  void keep_only(std::vector<Descriptor> kept);
  // Before run(): all copies share one place, which holds the first descriptor at start; stores
  // change the words that differ from the copy before. Only where each copy runs once, in the order
  // of the text.
  void rewrite() { rewrites_ = true; }
  // Whether all copies share one place.
  [[nodiscard]] bool is_straight() const { return is_straight_; }
  // SMEM of the kernels, at the label `kernels`.
  [[nodiscard]] std::int64_t kernel_words() const { return kernel_words_; }
  // The number of the buffer that their `.touches` names; 0 where there are none.
  [[nodiscard]] BufferId kernels_buffer() const { return kernels_ == 0 ? no_buffer : smem_buffer_; }
  // The text after the last linear block.
  [[nodiscard]] const std::string& behind() const { return behind_; }
  // The functions in assembly that are called.
  [[nodiscard]] const std::set<std::string>& functions() const { return functions_; }

 private:
  using Value = mlir::Value;
  using Operands = mlir::ValueRange;

  void line(const std::string& operation);
  void label(const std::string& name) { text_.add(name + ":\n"); }
  std::string fresh(char file) { return "%" + std::string(1, file) + std::to_string(next_++); }
  std::string fresh(mlir::Type type);
  std::string fresh_label() { return "l" + std::to_string(next_label_++); }
  void locate(mlir::Location loc);

  std::string name(Value value);              // its register; constants are moved into one
  std::string name_or_constant(Value value);  // for an operand that takes a register or a constant
  std::string define(Value value);            // a new register for a result
  void move(const std::string& to, Value from);
  void move_all(llvm::ArrayRef<std::string> to, Operands from, mlir::ValueRange own);
  void share_registers(mlir::scf::ForOp op, llvm::ArrayRef<std::string> carried);
  void hoist_constants(mlir::Operation* loop);

  mlir::LogicalResult block(mlir::Block& block);
  mlir::LogicalResult operation(mlir::Operation* op);
  mlir::LogicalResult instruction(mlir::Operation* op);
  mlir::LogicalResult scalar(mlir::Operation* op);
  mlir::LogicalResult loop(mlir::scf::ForOp op);
  mlir::LogicalResult loop(mlir::scf::WhileOp op);
  mlir::LogicalResult branch(mlir::scf::IfOp op);
  mlir::LogicalResult branch(mlir::scf::IndexSwitchOp op);
  mlir::LogicalResult arm(mlir::Region& region, llvm::ArrayRef<std::string> results);
  mlir::LogicalResult far_arms();
  void compare(mlir::Operation* op);
  void choose(mlir::Operation* op);
  std::string widened(mlir::Operation* op);
  std::string descriptor_place(mlir::Operation* op);
  void make_descriptor(const Descriptor& descriptor, std::int64_t at);
  std::string descriptor_operand(std::int64_t at);
  std::string rewritten(const Descriptor& descriptor);
  mlir::LogicalResult kernel(mlir::func::CallOp call);

  // The values that live across a call: registers saved in memory, and values that are computed
  // again.
  struct Waiting {
    std::set<std::string> names;
    llvm::SetVector<Value> again;
  };
  mlir::LogicalResult function_call(mlir::func::CallOp call);
  mlir::LogicalResult recompute(Value value, const llvm::SetVector<Value>& live, Waiting& waiting);
  void save(const Waiting& waiting, std::int64_t at);
  mlir::LogicalResult restore(const Waiting& waiting, std::int64_t at);
  void pass(mlir::func::CallOp call, mlir::ArrayAttr entries);
  std::string bridge(mlir::func::FuncOp function, mlir::ArrayAttr entries, std::int64_t row,
                     std::int64_t stack);

  // A part of a choice that is placed after the program's end.
  struct FarArm {
    mlir::Region* region;
    llvm::SmallVector<std::string> results;
    std::string begin;  // labels
    std::string back;
  };

  OpenText text_;
  std::vector<FarArm> far_arms_;
  std::string last_place_;
  unsigned next_ = 0;
  unsigned next_label_ = 0;
  llvm::DenseMap<Value, std::string> names_;
  llvm::DenseMap<Value, std::string> given_;     // registers for values not defined yet
  std::map<std::int64_t, std::string> hoisted_;  // constant -> register, inside an innermost loop
  std::int64_t descriptors_at_;
  std::vector<Descriptor> pool_;
  std::map<Descriptor, std::size_t> known_;
  std::vector<std::pair<bool, unsigned>> uses_;  // by place; in a loop, how often
  bool is_pool_full_ = false;
  bool is_straight_ = true;
  bool rewrites_ = false;
  Descriptor written_;  // in the shared place
  unsigned kernels_ = 0;
  BufferId smem_buffer_ = no_buffer;  // of the kernels
  std::int64_t kernel_words_ = 0;
  bool has_function_calls_ = false;
  std::string behind_;
  std::set<std::string> functions_;
  // By declaration and first row of VMEM.
  std::map<std::pair<std::string, std::int64_t>, std::string> bridges_;
};

}  // namespace tandem::compiler
