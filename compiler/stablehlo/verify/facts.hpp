// An operation as its verification reads it. A question that has no answer is an error at the
// operation, reported once: after that, answers are meaningless.
#pragma once

#include <cstdint>
#include <string>

#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace tandem::compiler::verify {

// Numbers of attributes, and extents computed from them, may exceed 64 bits.
using Wide = __int128;
using Numbers = llvm::SmallVector<std::int64_t>;
using Shape = llvm::SmallVector<Wide>;

class Facts {
 public:
  explicit Facts(mlir::Operation* op) : op_(op) {}

  [[nodiscard]] bool failed() const { return failed_; }
  // Reports "stablehlo.slice: its strides are 0"; returns false.
  bool fail(const std::string& why);
  // The same where the condition does not hold.
  bool want(bool condition, const std::string& why) { return condition || fail(why); }

  [[nodiscard]] mlir::Operation* op() const { return op_; }
  bool counts(std::size_t operands, std::size_t results);
  // Precondition: it exists, which counts() has checked.
  [[nodiscard]] llvm::ArrayRef<std::int64_t> operand(std::size_t number) const;
  [[nodiscard]] llvm::ArrayRef<std::int64_t> result(std::size_t number = 0) const;

  // The list of this name; if absent, `length` times `otherwise`.
  Numbers list(llvm::StringRef name, std::size_t length, std::int64_t otherwise);
  // The list unchanged; empty if absent.
  Numbers numbers(llvm::StringRef name);
  std::int64_t number(llvm::StringRef name, std::int64_t otherwise);

  // Whether each is 0 to rank - 1; and whether all are different.
  bool dimensions(llvm::StringRef name, llvm::ArrayRef<std::int64_t> given, std::size_t rank);
  bool different(llvm::StringRef name, llvm::ArrayRef<std::int64_t> given);
  bool at_least(llvm::StringRef name, llvm::ArrayRef<std::int64_t> given, std::int64_t least);
  // Whether the result of this number has the shape.
  bool shape(const Shape& wanted, std::size_t number = 0);

 private:
  mlir::Operation* op_;
  bool failed_ = false;
};

std::string text(llvm::ArrayRef<std::int64_t> numbers);
std::string text(const Shape& shape);
Shape shape_of(llvm::ArrayRef<std::int64_t> shape);

// The extents of a dimension after a window; negative ones count as 0.
struct Window {
  Numbers sizes, strides, padding, base, dilation;  // two per dimension for padding
};
bool windows(Facts& facts, const Window& window, llvm::ArrayRef<std::int64_t> extents,
             Shape& shape);

// By families; `true` where there is nothing to check.
bool verify_moves(Facts& facts, llvm::StringRef name);
bool verify_windows(Facts& facts, llvm::StringRef name);
bool verify_fourier(Facts& facts, llvm::StringRef name);
bool verify_products(Facts& facts, llvm::StringRef name);
bool verify_indexing(Facts& facts, llvm::StringRef name);
bool verify_collectives(Facts& facts, llvm::StringRef name);
bool verify_bodies(Facts& facts, llvm::StringRef name);
bool verify_elementwise(Facts& facts, llvm::StringRef name);

}  // namespace tandem::compiler::verify
