// Fourier transforms of the last dimensions.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "compiler/stablehlo/verify/facts.hpp"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler::verify {
namespace {

constexpr std::size_t most_lengths = 3;

bool is_complex(mlir::Type type) {
  return mlir::isa<mlir::ComplexType>(mlir::getElementTypeOrSelf(type));
}

bool kinds(Facts& facts, llvm::StringRef kind) {
  constexpr std::array<const char*, 4> known{"FFT", "IFFT", "RFFT", "IRFFT"};
  if (!facts.want(llvm::is_contained(known, kind), "`fft_type` is FFT, IFFT, RFFT or IRFFT")) {
    return false;
  }
  return facts.want(is_complex(facts.op()->getOperand(0).getType()) == (kind != "RFFT") &&
                        is_complex(facts.op()->getResult(0).getType()) == (kind != "IRFFT"),
                    fmt::format("{} is not of operands and results of these types", kind.str()));
}

bool fft(Facts& facts) {
  if (!facts.counts(1, 1)) return false;
  const auto given = facts.op()->getAttrOfType<mlir::StringAttr>("fft_type");
  const llvm::StringRef kind = given ? given.getValue() : "";
  if (!kinds(facts, kind)) return false;
  const Numbers lengths = facts.numbers("fft_length");
  const std::size_t rank = facts.operand(0).size();
  if (facts.failed() || !facts.at_least("fft_length", lengths, 0)) return false;
  if (!facts.want(!lengths.empty() && lengths.size() <= std::min(rank, most_lengths),
                  fmt::format("`fft_length` has {} numbers, the rank is {}; 1 to 3 are possible",
                              lengths.size(), rank))) {
    return false;
  }
  // The real type where complex elements are the half of a real transform.
  const bool is_half = kind == "RFFT" || kind == "IRFFT";
  Shape real(shape_of(facts.operand(0)));
  llvm::copy(lengths, real.end() - static_cast<std::ptrdiff_t>(lengths.size()));
  Shape complex = real;
  if (is_half) complex.back() = real.back() == 0 ? Wide{0} : real.back() / 2 + 1;
  const Shape& from = kind == "IRFFT" ? complex : real;
  return facts.want(llvm::equal(facts.operand(0), from),
                    fmt::format("its operand is of the shape {}, not {}", text(from),
                                text(facts.operand(0)))) &&
         facts.shape(kind == "RFFT" ? complex : real);
}

}  // namespace

bool verify_fourier(Facts& facts, llvm::StringRef name) { return name != "fft" || fft(facts); }

}  // namespace tandem::compiler::verify
