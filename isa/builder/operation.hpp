// Typed operations, one function per instruction, generated from the rows of isa/instructions.def:
//
//   using namespace tandem::builder;
//   op::add(s(1), s(2), 5)                       s1 = add s2, 5
//   op::vld(v(3), Vmem(s(4), 8), rows(2))        v3 = vld [s4 + 8], rows=2
//   op::br(label).when(!p(1))                    @!p1 br label
//
// An operand of the wrong kind does not compile; a number that its field cannot hold throws
// BuildError.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "isa/builder/arguments.hpp"
#include "isa/instructions.hpp"

namespace tandem::builder {

struct BuildError {
  std::string message;
};

// An operation, its slot, and the values that the linker fills in.
struct Placed {
  Operation operation;
  SymbolValue symbol{};           // of the constant that is left to the linker
  std::optional<Slot> slot = {};  // else the first free one that takes it

  [[nodiscard]] Placed when(Predicate of) const { return predicated(of.number, false); }
  [[nodiscard]] Placed when(NegatedPredicate of) const { return predicated(of.number, true); }
  // Throws BuildError when the slot does not take it.
  [[nodiscard]] Placed in(Slot which) const;

 private:
  [[nodiscard]] Placed predicated(std::uint8_t number, bool negate) const {
    Placed result = *this;
    result.operation.predicate = number;
    result.operation.negate = negate;
    return result;
  }
};

// For tools that walk the table: an operation by its row. Omitted operands have their defaults.
// Throws BuildError when one does not fit.
Operation make_operation(Op op, std::span<const OperandValue> operands);
// The first slot that takes a group.
Slot first_slot(Group group);

namespace detail {

template <typename T>
struct Type {
  using type = T;
};
struct NoArgument {};  // of attributes, which have names

// The C++ type of an operand.
template <const Operand& operand>
constexpr auto argument_type() {
  using enum OperandKind;
  constexpr bool written = operand.access == Access::write;
  if constexpr (operand.kind == sreg) {
    return Type<ScalarArgument>{};
  } else if constexpr (operand.kind == vreg) {
    return Type<VectorArgument>{};
  } else if constexpr (operand.kind == preg) {
    return Type<std::conditional_t<written, PredicateDestination, PredicateSource>>{};
  } else if constexpr (operand.kind == mreg) {
    return Type<std::conditional_t<written, MaskDestination, MaskSource>>{};
  } else if constexpr (operand.kind == vsource) {
    constexpr bool constants = operand.select.width != 0;
    return Type<std::conditional_t<constants, VectorSourceOrConstant, VectorSource>>{};
  } else if constexpr (operand.kind == scalar_imm) {
    return Type<ScalarOrConstant>{};
  } else if constexpr (operand.kind == target) {
    return Type<TargetArgument>{};
  } else if constexpr (operand.kind == constant) {
    return Type<ConstantArgument>{};
  } else if constexpr (operand.kind == csr) {
    return Type<CsrArgument>{};
  } else if constexpr (operand.kind == flag) {
    return Type<FlagArgument>{};
  } else if constexpr (is_address(operand.kind)) {
    return Type<Address<operand.kind>>{};
  } else if constexpr (operand.kind == part) {
    constexpr bool floats = (operand.allowed & bf16_parts) != 0;
    constexpr bool bytes = (operand.allowed & s8_parts) != 0;
    return Type<
        std::conditional_t<floats && bytes, PartArgument,
                           std::conditional_t<floats, FloatPartArgument, BytePartArgument>>>{};
  } else {
    static_assert(is_attribute(operand.kind));
    return Type<NoArgument>{};
  }
}

// Whether an attribute of this type is the operand's.
template <typename T>
constexpr bool is_attribute_of(const Operand& operand) {
  using enum OperandKind;
  if constexpr (std::is_same_v<T, Stride>) return operand.kind == stride;
  if constexpr (std::is_same_v<T, Rows>) return operand.kind == rows;
  if constexpr (std::is_same_v<T, MaskedBy>) return operand.kind == mask;
  if constexpr (std::is_same_v<T, AddFlag>) return operand.kind == option && operand.name == "add";
  if constexpr (std::is_same_v<T, SwapFlag>)
    return operand.kind == option && operand.name == "swap";
  return false;
}
constexpr Argument argument_of(Stride of) { return {{of.rows, 0, 0}}; }
constexpr Argument argument_of(Rows of) { return {{of.count, 0, 0}}; }
constexpr Argument argument_of(const MaskedBy& of) { return {of.mask.value}; }
constexpr Argument argument_of(AddFlag) { return {{1, 0, 0}}; }
constexpr Argument argument_of(SwapFlag) { return {{1, 0, 0}}; }

// `places[i]` is the operand that argument i is for.
Placed finish(Op op, std::span<const std::size_t> places, std::span<const Argument> arguments);

}  // namespace detail

// The function of one instruction.
template <Op which, const Operand&... all>
class Make {
  using Types = std::tuple<decltype(detail::argument_type<all>())...>;
  static constexpr std::array<const Operand*, sizeof...(all)> operands{&all...};
  static constexpr std::size_t positional =
      (std::size_t{0} + ... + (is_attribute(all.kind) ? 0U : 1U));

  // The operand that argument `index`, of type T, is for; attributes come after the others.
  template <std::size_t index, typename T>
  static constexpr std::size_t place() {
    if (index < positional) return index;
    for (std::size_t i = positional; i < operands.size(); ++i) {
      if (detail::is_attribute_of<T>(*operands[i])) return i;
    }
    return operands.size();
  }

  template <std::size_t index, typename T, typename... Given>
  static constexpr bool accepts() {
    if constexpr (index < positional) {
      return std::is_convertible_v<T, typename std::tuple_element_t<index, Types>::type>;
    } else {
      return place<index, T>() < operands.size() && (0 + ... + int{std::is_same_v<T, Given>}) == 1;
    }
  }

  template <std::size_t index, typename T>
  static constexpr Argument argument(const T& given) {
    if constexpr (index < positional) {
      return typename std::tuple_element_t<index, Types>::type(given);
    } else {
      return detail::argument_of(given);
    }
  }

  template <std::size_t... index, typename... Given>
  static Placed make(std::index_sequence<index...>, const Given&... given) {
    constexpr std::array<std::size_t, sizeof...(Given)> places{place<index, Given>()...};
    const std::array<Argument, sizeof...(Given)> arguments{argument<index>(given)...};
    return detail::finish(which, places, arguments);
  }

 public:
  template <typename... Given>
  static constexpr bool takes() {
    if constexpr (sizeof...(Given) < positional || sizeof...(Given) > sizeof...(all)) {
      return false;
    } else {
      return []<std::size_t... index>(std::index_sequence<index...>) {
        return (true && ... && accepts<index, Given, Given...>());
      }
      (std::index_sequence_for<Given...>{});
    }
  }

  // The operands in text order, then attributes in any order.
  template <typename... Given>
  requires(takes<Given...>()) Placed operator()(const Given&... given) const {
    return make(std::index_sequence_for<Given...>{}, given...);
  }
};

namespace detail::rows {
using namespace operand;  // NOLINT: the rows name operands without their namespace
#define OPS(...) __VA_OPT__(, ) __VA_ARGS__
#define INSTRUCTION(name, opcode, mnemonic, group, latency, operands, meaning) \
  using make_##name = Make<Op::name operands>;
#include "isa/instructions.def"
#undef INSTRUCTION
#undef OPS
}  // namespace detail::rows

namespace op {
#define INSTRUCTION(name, ...) inline constexpr detail::rows::make_##name name{};
#include "isa/instructions.def"
#undef INSTRUCTION
}  // namespace op

}  // namespace tandem::builder
