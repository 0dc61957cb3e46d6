#include "compiler/check/launch_tensors.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "compiler/check/native_form.hpp"
#include "compiler/contract/attributes.hpp"
#include "isa/launch/drawn.hpp"
#include "llvm/ADT/APFloat.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tandem::compiler {
namespace {

template <typename T>
double number_as(const std::uint8_t* from) {
  T value{};
  std::memcpy(&value, from, sizeof value);
  return static_cast<double>(value);
}

double real_of(const llvm::fltSemantics& form, const std::uint8_t* from) {
  const unsigned bits = llvm::APFloat::getSizeInBits(form);
  std::uint16_t word = 0;
  std::memcpy(&word, from, (bits + 7) / 8);
  llvm::APFloat number(form, llvm::APInt(16, word).trunc(bits));
  bool is_inexact = false;
  number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &is_inexact);
  return number.convertToDouble();
}

// An element of a plane, which is half of a complex number.
double number_at(const LaunchTensor& tensor, const Bytes& memory, std::size_t index) {
  const std::uint8_t* from = memory.data() + index * tensor.element_bytes();
  switch (tensor.type) {
    case ElementType::f32:
    case ElementType::c64: return number_as<float>(from);
    case ElementType::bf16: return real_of(llvm::APFloat::BFloat(), from);
    case ElementType::f16: return real_of(llvm::APFloat::IEEEhalf(), from);
    case ElementType::f8e4m3fn: return real_of(llvm::APFloat::Float8E4M3FN(), from);
    case ElementType::f8e5m2: return real_of(llvm::APFloat::Float8E5M2(), from);
    case ElementType::f8e4m3b11fnuz: return real_of(llvm::APFloat::Float8E4M3B11FNUZ(), from);
    case ElementType::f8e4m3fnuz: return real_of(llvm::APFloat::Float8E4M3FNUZ(), from);
    case ElementType::f8e5m2fnuz: return real_of(llvm::APFloat::Float8E5M2FNUZ(), from);
    case ElementType::f8e4m3: return real_of(llvm::APFloat::Float8E4M3(), from);
    case ElementType::f8e3m4: return real_of(llvm::APFloat::Float8E3M4(), from);
    case ElementType::f8e8m0fnu: return real_of(llvm::APFloat::Float8E8M0FNU(), from);
    case ElementType::f4e2m1fn: return real_of(llvm::APFloat::Float4E2M1FN(), from);
    case ElementType::s32: return number_as<std::int32_t>(from);
    case ElementType::s16: return number_as<std::int16_t>(from);
    case ElementType::s8: return number_as<std::int8_t>(from);
    case ElementType::u64: return number_as<std::uint64_t>(from);
    case ElementType::u32: return number_as<std::uint32_t>(from);
    case ElementType::u16: return number_as<std::uint16_t>(from);
    case ElementType::u8:
    case ElementType::i1:
    case ElementType::s4:
    case ElementType::u4:
    case ElementType::s2:
    case ElementType::u2: return number_as<std::uint8_t>(from);
  }
  return 0;
}

// The size of the last places of the type, relative to a number; 0: numbers are exact.
double unit_of(ElementType type) {
  switch (type) {
    case ElementType::f32:
    case ElementType::c64: return 1e-4;
    case ElementType::bf16: return 0x1p-6;
    case ElementType::f16: return 0x1p-9;
    case ElementType::f8e3m4:
    case ElementType::f8e4m3fn:
    case ElementType::f8e4m3b11fnuz:
    case ElementType::f8e4m3fnuz:
    case ElementType::f8e4m3: return 0x1p-2;
    case ElementType::f8e5m2:
    case ElementType::f8e5m2fnuz:
    case ElementType::f4e2m1fn:
    case ElementType::f8e8m0fnu: return 0x1p-1;
    case ElementType::s32:
    case ElementType::s16:
    case ElementType::s8:
    case ElementType::u64:
    case ElementType::u32:
    case ElementType::u16:
    case ElementType::u8:
    case ElementType::i1:
    case ElementType::s4:
    case ElementType::u4:
    case ElementType::s2:
    case ElementType::u2: return 0;
  }
  return 0;
}

double tolerance(ElementType type, Closeness closeness) {
  const double unit = unit_of(type);
  if (unit == 0) return 0;
  switch (closeness) {
    case Closeness::sums: return unit;
    case Closeness::machine: return std::max(unit, 1e-3);
  }
  return unit;
}

// With its number in memory; a complex element is counted for both of its halves.
template <typename Act>
void for_each_element(const LaunchTensor& tensor, Act act) {
  for (std::size_t row = 0; row < tensor.rows; ++row) {
    for (std::size_t i = 0; i < tensor.columns; ++i) {
      for (std::size_t plane = 0; plane < tensor.planes; ++plane) {
        act((plane * tensor.rows + row) * tensor.pitch + i);
      }
    }
  }
}

struct Differences {
  std::size_t count = 0;
  std::size_t any = 0;     // that are not the same
  std::size_t beyond = 0;  // the tolerance
  double worst = 0;
  double squares = 0;

  void add(double before, double now, double allowed) {
    ++count;
    if (before == now || (std::isnan(before) && std::isnan(now))) return;
    const double off = std::abs(before - now);
    ++any;
    squares += off * off;
    if (off > allowed || std::isnan(off)) ++beyond;
    worst = std::isnan(off) ? off : std::max(worst, off);
  }

  // An operand that rounds the other way, because a sum before it was a different one, changes few
  // elements. A missing product changes all of them a little.
  [[nodiscard]] bool is_far_on_average(double allowed) const {
    constexpr std::size_t many = 256;
    return count >= many && std::sqrt(squares / static_cast<double>(count)) > allowed / 10;
  }
};

}  // namespace

std::vector<LaunchTensor> launch_tensors(mlir::ModuleOp module) {
  std::vector<LaunchTensor> tensors;
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    const auto text = [](mlir::StringAttr value) {
      return value ? value.getValue() : llvm::StringRef();
    };
    const auto memory = mlir::cast<mlir::MemRefType>(main.getArgument(i).getType());
    const auto shape = attribute::shape.get(main, i);
    const llvm::ArrayRef<std::int64_t> sizes = shape ? shape.asArrayRef() : memory.getShape();
    LaunchTensor tensor;
    tensor.name = text(attribute::name.get(main, i)).str();
    tensor.type = find_element(std::string_view(text(attribute::type.get(main, i))))
                      .value_or(ElementType::f32);
    tensor.shape.assign(sizes.begin(), sizes.end());
    tensor.is_input = text(attribute::direction.get(main, i)) == "in";
    tensor.bytes = static_cast<std::size_t>(bytes_of(memory));
    const auto elements = static_cast<std::size_t>(mlir::ShapedType::getNumElements(sizes));
    tensor.columns = sizes.empty() ? 1 : static_cast<std::size_t>(sizes.back());
    tensor.rows = elements == 0 ? 0 : elements / tensor.columns;
    tensor.planes = tensor.type == ElementType::c64 ? 2 : 1;
    tensor.pitch =
        elements == 0 ? 1 : tensor.bytes / tensor.element_bytes() / tensor.planes / tensor.rows;
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

Bytes drawn_memory(const LaunchTensor& tensor, unsigned seed) {
  if (!tensor.is_input) return Bytes(tensor.bytes, 0xff);
  const auto count = static_cast<std::int64_t>(tensor.rows * tensor.columns);
  return with_padding(tensor, drawn_elements(tensor.type, count, seed, true));
}

TensorData without_padding(const LaunchTensor& tensor, const Bytes& memory) {
  TensorData data;
  data.dimensions = tensor.shape;
  const std::size_t size = tensor.element_bytes();
  for_each_element(tensor, [&](std::size_t index) {
    const std::uint8_t* from = memory.data() + index * size;
    data.bytes.insert(data.bytes.end(), from, from + size);
  });
  return data;
}

Bytes with_padding(const LaunchTensor& tensor, const Bytes& elements) {
  Bytes memory(tensor.bytes, 0);
  const std::size_t size = tensor.element_bytes();
  std::size_t next = 0;
  for_each_element(tensor, [&](std::size_t index) {
    std::memcpy(memory.data() + index * size, elements.data() + next, size);
    next += size;
  });
  return memory;
}

std::string difference(const LaunchTensor& tensor, const Bytes& before, const Bytes& now,
                       Closeness closeness) {
  double largest = 0;
  for_each_element(tensor, [&](std::size_t i) {
    const double x = std::abs(number_at(tensor, before, i));
    if (std::isfinite(x)) largest = std::max(largest, x);
  });
  const double allowed = tolerance(tensor.type, closeness) * (largest + 1e-3);
  Differences found;
  for_each_element(tensor, [&](std::size_t i) {
    found.add(number_at(tensor, before, i), number_at(tensor, now, i), allowed);
  });
  const bool is_far = closeness == Closeness::machine && found.is_far_on_average(allowed);
  if (found.beyond == 0 && !is_far) return "";
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << tensor.name << ": " << (is_far ? found.any : found.beyond)
         << " numbers differ, by up to " << found.worst << " of " << largest;
  return text;
}

}  // namespace tandem::compiler
