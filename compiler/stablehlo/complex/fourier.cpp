// Discrete Fourier transforms as products with their matrices.
//
// Along the last dimension, of n = a b elements: element j = j1 b + j2 of the input, k = k1 + a k2
// of the result. A product with the matrix of length a sums over j1, a factor w^(j2 k1) rotates its
// result, and the transform of length b sums over j2 (Cooley and Tukey). A length without such
// factors is one product, or, if large, a convolution by two transforms of a power of two
// (Bluestein). Matrices are computed in double, products are as exact as fp32's own rounding.
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "compiler/stablehlo/complex/parts.hpp"
#include "mlir/IR/BuiltinAttributes.h"

namespace tandem::compiler {
namespace {

using mlir::RankedTensorType;
using mlir::Value;
using List = llvm::SmallVector<std::int64_t>;

// A matrix of this many rows costs its products less than two steps of smaller ones.
constexpr std::int64_t most_rows = 128;
// A larger prime is a convolution.
constexpr std::int64_t most_prime = 512;

enum class Direction : std::int8_t { forward = -1, backward = 1 };

RankedTensorType shaped(const Term& term) {
  return mlir::cast<RankedTensorType>(term.value.getType());
}

// e^(2 pi i s / n), with the angle in [-pi, pi).
struct Root {
  double real;
  double imaginary;
};

Root unit_root(std::int64_t step, std::int64_t length, Direction direction) {
  std::int64_t rest = step % length;
  if (2 * rest >= length) rest -= length;
  const double angle = 2 * std::numbers::pi * static_cast<double>(rest) /
                       static_cast<double>(length) * static_cast<double>(direction);
  return {std::cos(angle), std::sin(angle)};
}

class Transform {
 public:
  Transform(Maker& maker, Direction direction) : maker_(&maker), direction_(direction) {}

  // The operand is [batch, n]; its imaginary part may be null.
  Parts along_rows(const Parts& a) {
    const std::int64_t length = shaped(a.real).getDimSize(1);
    if (length == 1) return with_imaginary(a);
    const std::int64_t factor = factor_of(length);
    if (factor == length) return product(a, matrix(length, length, length), 1);
    if (factor == 1) return convolved(a);
    return in_two_steps(a, factor, length / factor);
  }

  Parts product(const Parts& a, const Parts& b, std::int64_t contracted) {
    const auto multiplied = [&](const Term& x, const Term& y) { return dot(x, y, contracted); };
    if (!a.imaginary.value) return {multiplied(a.real, b.real), multiplied(a.real, b.imaginary)};
    return {multiplied(a.real, b.real) - multiplied(a.imaginary, b.imaginary),
            multiplied(a.real, b.imaginary) + multiplied(a.imaginary, b.real)};
  }

 private:
  // The largest divisor that one product handles; 1 where only a convolution works.
  static std::int64_t factor_of(std::int64_t length) {
    if (length <= most_rows) return length;
    for (std::int64_t factor = most_rows; factor > 1; --factor) {
      if (length % factor == 0) return factor;
    }
    return length <= most_prime ? length : 1;
  }

  Term constant(llvm::ArrayRef<std::int64_t> shape, llvm::ArrayRef<float> numbers) {
    const auto type = RankedTensorType::get(shape, maker_->builder().getF32Type());
    return {maker_, maker_->constant(type, mlir::DenseElementsAttr::get(type, numbers))};
  }

  // w^(row times column times step), w of the given length.
  template <typename Step>
  Parts roots(std::int64_t rows, std::int64_t columns, std::int64_t length, Step step) {
    llvm::SmallVector<float> real;
    llvm::SmallVector<float> imaginary;
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t column = 0; column < columns; ++column) {
        const Root root = unit_root(step(row, column), length, direction_);
        real.push_back(static_cast<float>(root.real));
        imaginary.push_back(static_cast<float>(root.imaginary));
      }
    }
    return {constant({rows, columns}, real), constant({rows, columns}, imaginary)};
  }
  Parts matrix(std::int64_t rows, std::int64_t columns, std::int64_t length) {
    return roots(rows, columns, length,
                 [length](std::int64_t i, std::int64_t j) { return i * j % length; });
  }

  // Multiplies [batch, ...] a by a matrix: a's dimension and the first of the matrix are
  // contracted.
  Term dot(const Term& a, const Term& b, std::int64_t contracted) {
    mlir::OpBuilder& builder = maker_->builder();
    List shape(shaped(a).getShape());
    shape.erase(shape.begin() + contracted);
    shape.push_back(shaped(b).getDimSize(1));
    const auto none = builder.getDenseI64ArrayAttr({});
    const auto highest = builder.getStringAttr("HIGHEST");
    const mlir::NamedAttribute attributes[] = {
        builder.getNamedAttr("lhs_batching_dimensions", none),
        builder.getNamedAttr("rhs_batching_dimensions", none),
        builder.getNamedAttr("lhs_contracting_dimensions",
                             builder.getDenseI64ArrayAttr({contracted})),
        builder.getNamedAttr("rhs_contracting_dimensions", builder.getDenseI64ArrayAttr({0})),
        builder.getNamedAttr("precision_config", builder.getArrayAttr({highest, highest}))};
    return {maker_, maker_->make("dot_general", {a.value, b.value},
                                 RankedTensorType::get(shape, builder.getF32Type()), attributes)};
  }

  template <typename Change>
  Parts both(const Parts& a, Change change) {
    Parts result{{maker_, change(a.real.value)}, {maker_, {}}};
    if (a.imaginary.value) result.imaginary.value = change(a.imaginary.value);
    return result;
  }
  Parts reshaped(const Parts& a, llvm::ArrayRef<std::int64_t> shape) {
    return both(a, [&](Value value) { return maker_->reshape(value, shape); });
  }
  Parts transposed(const Parts& a) {
    return both(a, [&](Value value) { return maker_->transpose(value, {0, 2, 1}); });
  }

  Parts with_imaginary(const Parts& a) {
    return {a.real, a.imaginary.value ? a.imaginary : a.real.constant(0)};
  }

  Parts turned(const Parts& a, const Parts& factors) {
    const auto shape = shaped(a.real).getShape();
    const Parts by = both(factors, [&](Value value) { return maker_->broadcast(value, shape); });
    if (!a.imaginary.value) return {a.real * by.real, a.real * by.imaginary};
    return find_on_two("multiply")(a, by);
  }

  Parts in_two_steps(const Parts& a, std::int64_t first, std::int64_t second) {
    const std::int64_t batch = shaped(a.real).getDimSize(0);
    const Parts summed =
        product(reshaped(a, {batch, first, second}), matrix(first, first, first), 1);
    const Parts factors = matrix(second, first, first * second);
    const Parts rows = transposed(turned(summed, factors));
    const Parts done = along_rows(reshaped(rows, {batch * first, second}));
    return reshaped(transposed(reshaped(done, {batch, first, second})), {batch, first * second});
  }

  Parts padded(const Parts& a, std::int64_t length) {
    return both(a, [&](Value value) {
      const auto type = mlir::cast<RankedTensorType>(value.getType());
      const auto rest = RankedTensorType::get({type.getDimSize(0), length - type.getDimSize(1)},
                                              type.getElementType());
      return maker_->concatenate({value, maker_->all(rest, 0)}, 1);
    });
  }

  // j k = (j^2 + k^2 - (k - j)^2) / 2: multiply by a chirp, convolve with its inverse, and multiply
  // by the chirp again.
  Parts convolved(const Parts& a) {
    const std::int64_t length = shaped(a.real).getDimSize(1);
    std::int64_t room = 1;
    while (room < 2 * length - 1) room *= 2;
    const auto half_square = [length](std::int64_t i) { return i * i % (2 * length); };
    const Parts chirp =
        roots(1, length, 2 * length, [&](std::int64_t, std::int64_t i) { return half_square(i); });
    const Parts start = padded(turned(a, flat(chirp)), room);
    Transform there(*maker_, Direction::forward);
    const Parts kernel = spectrum_of_inverse_chirp(length, room);
    const Parts product = there.turned(there.along_rows(start), kernel);
    Transform back(*maker_, Direction::backward);
    const Parts whole = back.along_rows(product);
    const Parts cut = both(whole, [&](Value value) { return maker_->part(value, 1, 0, length); });
    const Parts result = turned(cut, flat(chirp));
    const double scale = 1.0 / static_cast<double>(room);
    return {result.real * scale, result.imaginary * scale};
  }
  Parts flat(const Parts& a) { return reshaped(a, {shaped(a.real).getNumElements()}); }

  // Computed here, in double: the error of its transform on the machine would be in every element
  // of the result.
  Parts spectrum_of_inverse_chirp(std::int64_t length, std::int64_t room) {
    std::vector<std::complex<double>> chirp(static_cast<std::size_t>(room));
    for (std::int64_t i = 0; i < length; ++i) {
      const Root root = unit_root(i * i % (2 * length), 2 * length, direction_);
      const auto at = static_cast<std::size_t>(i);
      chirp[at] = {root.real, -root.imaginary};
      if (i != 0) chirp[static_cast<std::size_t>(room) - at] = chirp[at];
    }
    butterflies(chirp);
    llvm::SmallVector<float> real;
    llvm::SmallVector<float> imaginary;
    for (const std::complex<double>& number : chirp) {
      real.push_back(static_cast<float>(number.real()));
      imaginary.push_back(static_cast<float>(number.imag()));
    }
    return {constant({room}, real), constant({room}, imaginary)};
  }

  // A forward transform of a power of two, in place.
  static void butterflies(std::vector<std::complex<double>>& numbers) {
    const std::size_t size = numbers.size();
    for (std::size_t i = 1, j = 0; i < size; ++i) {
      std::size_t bit = size >> 1U;
      for (; (j & bit) != 0; bit >>= 1U) j ^= bit;
      j ^= bit;
      if (i < j) std::swap(numbers[i], numbers[j]);
    }
    for (std::size_t half = 1; half < size; half *= 2) {
      for (std::size_t i = 0; i < half; ++i) {
        const Root root = unit_root(static_cast<std::int64_t>(i),
                                    static_cast<std::int64_t>(2 * half), Direction::forward);
        const std::complex<double> factor(root.real, root.imaginary);
        for (std::size_t at = i; at < size; at += 2 * half) {
          const std::complex<double> other = numbers[at + half] * factor;
          numbers[at + half] = numbers[at] - other;
          numbers[at] += other;
        }
      }
    }
  }

  Maker* maker_;
  Direction direction_;
};

// The whole transform along one dimension.
class Along {
 public:
  Along(Maker& maker, std::int64_t dimension) : maker_(&maker), dimension_(dimension) {}

  Parts transformed(const Parts& a, Direction direction) {
    const RankedTensorType type = shaped(a.real);
    List order;
    for (std::int64_t i = 0; i < type.getRank(); ++i) {
      if (i != dimension_) order.push_back(i);
    }
    order.push_back(dimension_);
    const std::int64_t length = type.getDimSize(dimension_);
    const List rows{type.getNumElements() / length, length};
    List apart;
    for (const std::int64_t from : order) apart.push_back(type.getDimSize(from));
    List back(order.size());
    for (const auto [to, from] : llvm::enumerate(order)) {
      back[from] = static_cast<std::int64_t>(to);
    }
    const auto in_rows = [&](Value value) {
      return maker_->reshape(maker_->transpose(value, order), rows);
    };
    const auto in_place = [&](Value value) {
      return maker_->transpose(maker_->reshape(value, apart), back);
    };
    return each(Transform(*maker_, direction).along_rows(each(a, in_rows)), in_place);
  }

  // The second half of the transform of real numbers is the first one, mirrored and conjugated.
  Parts completed(const Parts& a, std::int64_t length) {
    const std::int64_t kept = length / 2 + 1;
    const std::int64_t mirrored = length - kept;
    const auto whole = [&](const Term& part, bool is_imaginary) -> Term {
      const Value first = maker_->part(part.value, dimension_, 0, kept);
      if (mirrored == 0) return {maker_, first};
      const Value rest =
          maker_->reverse(maker_->part(part.value, dimension_, 1, 1 + mirrored), dimension_);
      const Value signed_rest = is_imaginary ? maker_->on("negate", rest) : rest;
      return {maker_, maker_->concatenate({first, signed_rest}, dimension_)};
    };
    return {whole(a.real, false), whole(a.imaginary, true)};
  }

  Parts half(const Parts& a, std::int64_t length) {
    return each(a, [&](Value value) { return maker_->part(value, dimension_, 0, length / 2 + 1); });
  }

 private:
  template <typename Change>
  Parts each(const Parts& a, Change change) {
    Parts result{{maker_, change(a.real.value)}, {maker_, {}}};
    if (a.imaginary.value) result.imaginary.value = change(a.imaginary.value);
    return result;
  }

  Maker* maker_;
  std::int64_t dimension_;
};

}  // namespace

Parts fourier(const Parts& a, llvm::StringRef kind, llvm::ArrayRef<std::int64_t> lengths) {
  Maker& maker = *a.real.maker;
  const auto count = static_cast<std::int64_t>(lengths.size());
  const std::int64_t first = shaped(a.real).getRank() - count;
  const bool backward = kind == "IFFT" || kind == "IRFFT";
  const Direction direction = backward ? Direction::backward : Direction::forward;
  Parts result = a;
  if (kind == "RFFT") {
    Along last(maker, first + count - 1);
    result = last.half(last.transformed(result, direction), lengths.back());
  }
  const std::int64_t complex = kind == "FFT" || kind == "IFFT" ? count : count - 1;
  for (std::int64_t i = complex; i-- > 0;) {
    result = Along(maker, first + i).transformed(result, direction);
  }
  if (kind == "IRFFT") {
    Along last(maker, first + count - 1);
    result = last.transformed(last.completed(result, lengths.back()), direction);
    result.imaginary.value = {};
  }
  if (!backward) return result;
  double scale = 1;
  for (const std::int64_t length : lengths) scale /= static_cast<double>(length);
  result.real = result.real * scale;
  if (result.imaginary.value) result.imaginary = result.imaginary * scale;
  return result;
}

}  // namespace tandem::compiler
