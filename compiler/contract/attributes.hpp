// Notes that one part of the compiler leaves on operations for another: the attributes `tandem.*`,
// each with a row in attributes.def. `attribute::precision.is_on(op)` tests for one.
//
// Nothing else names them, so a wrong name does not compile. An attribute that is not in the table,
// or has another kind, operation or level, is an error (verify_level.hpp).
#pragma once

#include <cstdint>

#include "compiler/contract/attributes.hpp"
#include "compiler/contract/levels.hpp"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tandem::compiler {
namespace attribute {

// The value of a note.
using Unit = mlir::UnitAttr;  // only its presence
using Integer = mlir::IntegerAttr;
using Integers = mlir::DenseI64ArrayAttr;
using Text = mlir::StringAttr;
using List = mlir::ArrayAttr;
using Record = mlir::DictionaryAttr;

inline Integer made(mlir::Builder builder, std::int64_t value) {
  return builder.getI64IntegerAttr(value);
}
inline Integers made(mlir::Builder builder, llvm::ArrayRef<std::int64_t> values) {
  return builder.getDenseI64ArrayAttr(values);
}
inline Text made(mlir::Builder builder, llvm::StringRef text) {
  return builder.getStringAttr(text);
}
inline List made(mlir::Builder builder, llvm::ArrayRef<mlir::Attribute> values) {
  return builder.getArrayAttr(values);
}

template <typename Kind>
struct Note {
  llvm::StringLiteral name;

  [[nodiscard]] bool is_on(mlir::Operation* op) const { return op->hasAttr(name); }
  // Null where it is absent.
  [[nodiscard]] Kind get(mlir::Operation* op) const { return op->getAttrOfType<Kind>(name); }
  [[nodiscard]] Kind get(mlir::FunctionOpInterface function, unsigned argument) const {
    return function.getArgAttrOfType<Kind>(argument, name);
  }

  void set(mlir::Operation* op) const requires std::is_same_v<Kind, Unit> {
    op->setAttr(name, mlir::UnitAttr::get(op->getContext()));
  }
  void set(mlir::Operation* op, Kind value) const { op->setAttr(name, value); }
  template <typename Value>
  void set(mlir::Operation* op, const Value& value) const {
    op->setAttr(name, made(mlir::Builder(op->getContext()), value));
  }
  template <typename Value>
  void set(mlir::FunctionOpInterface function, unsigned argument, const Value& value) const {
    function.setArgAttr(argument, name, made(mlir::Builder(function.getContext()), value));
  }
  // Its value, or the given one where it is absent.
  [[nodiscard]] std::int64_t value_or(
      mlir::Operation* op, std::int64_t other) const requires std::is_same_v<Kind, Integer> {
    const Kind value = get(op);
    return value ? value.getInt() : other;
  }
  // Of a function's result.
  [[nodiscard]] Kind get_result(mlir::FunctionOpInterface function, unsigned result) const {
    return function.getResultAttrOfType<Kind>(result, name);
  }
  template <typename Value>
  void set_result(mlir::FunctionOpInterface function, unsigned result, const Value& value) const {
    function.setResultAttr(result, name, made(mlir::Builder(function.getContext()), value));
  }
  // The former value; null where it was absent.
  Kind remove(mlir::Operation* op) const {  // NOLINT(modernize-use-nodiscard)
    return mlir::cast_if_present<Kind>(op->removeAttr(name));
  }
  // Copies it to the other operation, where it is present.
  void copy(mlir::Operation* from, mlir::Operation* to) const {
    if (const Kind value = get(from)) to->setAttr(name, value);
  }
  // For an operation that is yet to be created.
  [[nodiscard]] mlir::NamedAttribute named(Kind value) const { return {name, value}; }
  // Whether both have the same value, or neither has one.
  [[nodiscard]] bool is_same(mlir::Operation* one, mlir::Operation* other) const {
    return one->getAttr(name) == other->getAttr(name);
  }
};

#define ATTRIBUTE(NAME, KIND, ON, FROM, TO, SET_BY, READ_BY, MEANING) \
  inline constexpr Note<KIND> NAME{"tandem." #NAME};
#include "compiler/contract/attributes.def"
#undef ATTRIBUTE

}  // namespace attribute
}  // namespace tandem::compiler
