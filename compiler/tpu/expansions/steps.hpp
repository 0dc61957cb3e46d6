// Single instructions in the notation of the expansions.
#pragma once

#include "compiler/tpu/dialect.hpp"
#include "compiler/tpu/select.hpp"

namespace tandem::compiler {

inline constexpr std::int64_t sign_bit = 0x80000000;

// On fp32.
inline mlir::Value add(Selector& s, mlir::Value a, mlir::Value b) {
  return s.make("vadd.f32", {a, b});
}
inline mlir::Value sub(Selector& s, mlir::Value a, mlir::Value b) {
  return s.make("vsub.f32", {a, b});
}
inline mlir::Value mul(Selector& s, mlir::Value a, mlir::Value b) {
  return s.make("vmul.f32", {a, b});
}
inline mlir::Value less(Selector& s, mlir::Value a, mlir::Value b) {
  return s.make("vlt.f32", {a, b});
}
inline mlir::Value equal(Selector& s, mlir::Value a, mlir::Value b) {
  return s.make("veq.f32", {a, b});
}

// With a constant.
inline mlir::Value op(Selector& s, llvm::StringRef mnemonic, mlir::Value a, std::int64_t b) {
  return s.make(mnemonic, {a, s.number(b)});
}
inline mlir::Value bits_and(Selector& s, mlir::Value a, std::int64_t mask) {
  return op(s, "vand", a, mask);
}

inline mlir::Value product_error(Selector& s, mlir::Value a, mlir::Value b) {
  return s.make("vmulerr.f32", {a, b});
}
// x - a b for a product near x, to the last bit unless something leaves the range.
inline mlir::Value residual(Selector& s, mlir::Value x, mlir::Value a, mlir::Value b) {
  return sub(s, sub(s, x, mul(s, a, b)), product_error(s, a, b));
}
// A correction computed from an infinity is NaN, and is then left out.
inline mlir::Value unless_nan(Selector& s, mlir::Value corrected, mlir::Value otherwise) {
  return s.choose(equal(s, corrected, corrected), corrected, otherwise);
}
// A correction that is NaN, or no smaller than what it corrects, is left out: next to the smallest
// number its product may have been flushed to zero.
inline mlir::Value corrected(Selector& s, mlir::Value estimate, mlir::Value correction) {
  const mlir::Value small =
      less(s, bits_and(s, correction, 0x7fffffff), bits_and(s, estimate, 0x7fffffff));
  return s.choose(small, add(s, estimate, correction), estimate);
}

// A scalar in every element.
inline mlir::Value as_vector(Selector& s, mlir::Value x) {
  return mlir::isa<VectorType>(x.getType()) ? x : s.make("vmov", x);
}
// The transcendental unit reads only vectors.
inline mlir::Value unit(Selector& s, llvm::StringRef mnemonic, mlir::Value x) {
  return s.make(mnemonic, as_vector(s, x));
}

}  // namespace tandem::compiler
