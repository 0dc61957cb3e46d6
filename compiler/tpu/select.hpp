// Instruction selection: the body of a linalg operation on one vector of 8 x L elements.
#pragma once

#include <array>

#include "isa/parameters.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/IR/Builders.h"

namespace tandem::compiler {

// Emits instructions for single-element arithmetic, element by element in a register. A value is a
// vector (!tpu.v), a mask (!tpu.m) for i1, or a scalar that is the same in every element. In
// registers a bf16 is the fp32 of its value, integers narrower than a word are sign-extended.
class Selector {
 public:
  using Value = mlir::Value;

  Selector(mlir::OpBuilder& builder, mlir::Location loc) : builder(builder), loc(loc) {}

  // The registers of a value of the body.
  void set(Value original, Value selected) { values_[original] = selected; }
  [[nodiscard]] Value get(Value original);
  // Marks a value of the body as the same in many vectors, those along a row or those down a
  // column; and tests whether one is, including all values derived only from such values.
  enum class Along : std::uint8_t { row, column };
  void share(Value original, Along along) { shared(along).values.insert(original); }
  [[nodiscard]] bool is_shared(Value original, Along along) const;
  void set_sharers(Along along, std::int64_t vectors) { shared(along).vectors = vectors; }
  [[nodiscard]] std::int64_t sharers(Along along) const {
    return shared_.at(static_cast<std::size_t>(along)).vectors;
  }

  // Emits the body up to its terminator. Failure after an error at an operation without selection.
  // With `end`, that operation and all after it are left out.
  mlir::LogicalResult run(mlir::Block& body, mlir::Operation* end = nullptr);

  // ---- building blocks
  Value make(llvm::StringRef mnemonic, mlir::ValueRange operands,
             llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  Value number(std::int64_t bits);  // a scalar constant
  Value real(float value);
  Value not_mask(Value mask);
  Value choose(Value mask, Value a, Value b);
  Value as_vector(Value value);  // masks become 0 and 1
  Value as_mask(Value value);

  mlir::OpBuilder& builder;
  mlir::Location loc;
  // The number of the element in its tile, and of the iteration of a reduction, for `linalg.index`.
  Value element_index;
  Value turn_index;

 private:
  struct Shared {
    llvm::DenseSet<Value> values;
    std::int64_t vectors = 1;  // with the same value
  };
  Shared& shared(Along along) { return shared_.at(static_cast<std::size_t>(along)); }

  mlir::LogicalResult select(mlir::Operation* op);
  llvm::DenseMap<Value, Value> values_;
  std::array<Shared, 2> shared_;
};

// One operation of arith, math or linalg on selected operands; null when it is not supported.
Selector::Value select_operation(Selector& selector, mlir::Operation* op,
                                 llvm::ArrayRef<mlir::Value> operands);

}  // namespace tandem::compiler
