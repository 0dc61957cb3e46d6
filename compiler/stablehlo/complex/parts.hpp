// Complex numbers as their real and imaginary parts.
#pragma once

#include "compiler/stablehlo/term.hpp"

namespace tandem::compiler {

struct Parts {
  Term real;
  Term imaginary;
};

// Whether the elements are complex numbers of two fp32 each.
bool is_complex(mlir::Type type);

// An operation on one or two complex operands with a complex result per element, or null.
using OnOne = Parts (*)(const Parts& a);
using OnTwo = Parts (*)(const Parts& a, const Parts& b);
OnOne find_on_one(llvm::StringRef name);
OnTwo find_on_two(llvm::StringRef name);

// The absolute value.
Term magnitude(const Parts& a);

// A Fourier transform, with the attributes of stablehlo.fft. For a real operand or a real result,
// the imaginary part is null.
Parts fourier(const Parts& a, llvm::StringRef kind, llvm::ArrayRef<std::int64_t> lengths);

}  // namespace tandem::compiler
