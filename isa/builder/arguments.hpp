// The arguments of typed operations. Each kind of operand in isa/operands.hpp has a C++ type that
// can only be made from values valid there: s(3) for a scalar register, s(3) or a number or a
// symbol where either is allowed, v(3).lo() for a vector source.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

#include "isa/encoding.hpp"

namespace tandem::builder {

inline constexpr std::uint32_t no_symbol = ~0U;

// A number known only to the linker: the value of a symbol, in its unit, plus an addend. Made by
// ObjectBuilder.
struct SymbolValue {
  std::uint32_t symbol = no_symbol;  // of that builder
  std::int64_t addend = 0;

  constexpr SymbolValue operator+(std::int64_t more) const { return {symbol, addend + more}; }
};

// Base of all argument types.
struct Argument {
  OperandValue value;
  SymbolValue symbol{};  // of a constant that is left to the linker
};

namespace detail {

constexpr OperandValue fields(std::uint32_t value, std::uint32_t extra = 0, std::int32_t imm = 0) {
  return {static_cast<std::int32_t>(value), extra, imm};
}

}  // namespace detail

// ---- registers

struct Scalar {
  std::uint8_t number = 0;
};
constexpr Scalar s(std::uint8_t number) { return {number}; }

struct Predicate {
  std::uint8_t number = 0;
};
struct NegatedPredicate {
  std::uint8_t number = 0;
};
constexpr Predicate p(std::uint8_t number) { return {number}; }
constexpr NegatedPredicate operator!(Predicate of) { return {of.number}; }

struct MaskRegister {
  std::uint8_t number = 0;
};
struct NegatedMask {
  std::uint8_t number = 0;
};
constexpr MaskRegister m(std::uint8_t number) { return {number}; }
constexpr NegatedMask operator!(MaskRegister of) { return {of.number}; }

struct VectorForm {  // v3.lo, v3.hi
  std::uint8_t number = 0;
  SourceForm form{};
};
struct FloatPart {  // v3.f32, and the bf16 halves of a register
  std::uint8_t number = 0;
  Part part{};
};
struct BytePart {  // v3.b0 .. v3.b3
  std::uint8_t number = 0;
  Part part{};
};
struct Vector {
  std::uint8_t number = 0;

  [[nodiscard]] constexpr VectorForm lo() const { return {number, SourceForm::lo}; }
  [[nodiscard]] constexpr VectorForm hi() const { return {number, SourceForm::hi}; }
  // As the matrix unit reads it.
  [[nodiscard]] constexpr FloatPart f32() const { return {number, Part::f32}; }
  [[nodiscard]] constexpr FloatPart part_lo() const { return {number, Part::lo}; }
  [[nodiscard]] constexpr FloatPart part_hi() const { return {number, Part::hi}; }
  [[nodiscard]] constexpr BytePart b(std::uint8_t byte) const {
    return {number, static_cast<Part>(static_cast<std::uint8_t>(Part::b0) + byte)};
  }
};
constexpr Vector v(std::uint8_t number) { return {number}; }

// ---- operands, one type per kind

struct ScalarArgument : Argument {
  constexpr ScalarArgument(Scalar of) : Argument{detail::fields(of.number)} {}
};
struct VectorArgument : Argument {
  constexpr VectorArgument(Vector of) : Argument{detail::fields(of.number)} {}
};
struct PredicateDestination : Argument {
  constexpr PredicateDestination(Predicate of) : Argument{detail::fields(of.number)} {}
};
struct PredicateSource : Argument {
  constexpr PredicateSource(Predicate of) : Argument{detail::fields(of.number)} {}
  constexpr PredicateSource(NegatedPredicate of) : Argument{detail::fields(of.number, 1)} {}
};
struct MaskDestination : Argument {
  constexpr MaskDestination(MaskRegister of) : Argument{detail::fields(of.number)} {}
};
struct MaskSource : Argument {
  constexpr MaskSource(MaskRegister of) : Argument{detail::fields(of.number)} {}
  constexpr MaskSource(NegatedMask of) : Argument{detail::fields(of.number, 1)} {}
};

// v3, v3.lo, v3.hi or s3.
struct VectorSource : Argument {
  constexpr VectorSource(Vector of) : Argument{detail::fields(of.number)} {}
  constexpr VectorSource(VectorForm of)
      : Argument{detail::fields(of.number, static_cast<std::uint32_t>(of.form))} {}
  constexpr VectorSource(Scalar of)
      : Argument{detail::fields(of.number, static_cast<std::uint32_t>(SourceForm::scalar))} {}
};
// The same, or a constant.
struct VectorSourceOrConstant : Argument {
  constexpr VectorSourceOrConstant(Vector of) : Argument{VectorSource(of)} {}
  constexpr VectorSourceOrConstant(VectorForm of) : Argument{VectorSource(of)} {}
  constexpr VectorSourceOrConstant(Scalar of) : Argument{VectorSource(of)} {}
  template <std::integral Number>
  constexpr VectorSourceOrConstant(Number of)
      : Argument{detail::fields(0, static_cast<std::uint32_t>(SourceForm::constant),
                                static_cast<std::int32_t>(of))} {}
  constexpr VectorSourceOrConstant(float of)
      : VectorSourceOrConstant(std::bit_cast<std::int32_t>(of)) {}
};
struct ScalarOrConstant : Argument {
  constexpr ScalarOrConstant(Scalar of) : Argument{detail::fields(of.number)} {}
  template <std::integral Number>
  constexpr ScalarOrConstant(Number of)
      : Argument{detail::fields(0, 1, static_cast<std::int32_t>(of))} {}
  constexpr ScalarOrConstant(SymbolValue of) : Argument{detail::fields(0, 1, 0), of} {}
};

// A bundle's number, or a label.
struct TargetArgument : Argument {
  constexpr TargetArgument(std::uint32_t pc) : Argument{detail::fields(pc)} {}
  constexpr TargetArgument(SymbolValue label) : Argument{{}, label} {}
};
struct ConstantArgument : Argument {
  constexpr ConstantArgument(std::uint32_t of) : Argument{detail::fields(of)} {}
  constexpr ConstantArgument(SymbolValue of) : Argument{{}, of} {}
};
// A control or status register by its number (isa/registers/registers.def).
struct CsrArgument : Argument {
  constexpr CsrArgument(std::uint32_t number) : Argument{detail::fields(number)} {}
};

struct FlagArgument : Argument {
  constexpr explicit FlagArgument(std::uint8_t number, Scalar plus = s(0))
      : Argument{detail::fields(number, plus.number)} {}
};
constexpr FlagArgument f(std::uint8_t number, Scalar plus = s(0)) {
  return FlagArgument(number, plus);
}

// A scalar plus a constant, of one memory; the kinds do not convert into each other.
template <OperandKind kind>
struct Address : Argument {
  constexpr explicit Address(Scalar base, std::int32_t offset = 0)
      : Argument{detail::fields(base.number, 0, offset)} {}
  constexpr explicit Address(std::int32_t offset) : Address(s(0), offset) {}
  constexpr explicit Address(SymbolValue offset, Scalar base = s(0))
      : Argument{detail::fields(base.number), offset} {}
};
using Smem = Address<OperandKind::smem>;              // [words]
using Vmem = Address<OperandKind::vmem>;              // [rows]
using VmemWord = Address<OperandKind::vmem_word>;     // [words]
using Descriptor = Address<OperandKind::descriptor>;  // [descriptors of 16 words]
using WeightRow = Address<OperandKind::weight_row>;
struct Accumulator : Address<OperandKind::accumulator> {
  using Address::Address;
};
constexpr Accumulator a(std::int32_t number, Scalar plus = s(0)) {
  const Accumulator result(plus, number);
  return result;
}

struct FloatPartArgument : Argument {
  constexpr FloatPartArgument(FloatPart of)
      : Argument{detail::fields(of.number, static_cast<std::uint32_t>(of.part))} {}
};
struct BytePartArgument : Argument {
  constexpr BytePartArgument(BytePart of)
      : Argument{detail::fields(of.number, static_cast<std::uint32_t>(of.part))} {}
};
struct PartArgument : Argument {
  constexpr PartArgument(FloatPart of) : Argument{FloatPartArgument(of)} {}
  constexpr PartArgument(BytePart of) : Argument{BytePartArgument(of)} {}
};

// ---- attributes: after the operands, in any order, each at most once

struct Stride {
  std::int32_t rows = 1;
};
struct Rows {
  std::uint8_t count = 8;
};
struct MaskedBy {
  MaskSource mask;
};
struct AddFlag {};
struct SwapFlag {};
constexpr Stride stride(std::int32_t rows) { return {rows}; }
constexpr Rows rows(std::uint8_t count) { return {count}; }
constexpr MaskedBy masked(MaskSource by) { return {by}; }
inline constexpr AddFlag accumulate{};  // `add` in the text
inline constexpr SwapFlag swapped{};    // `swap` in the text

}  // namespace tandem::builder
