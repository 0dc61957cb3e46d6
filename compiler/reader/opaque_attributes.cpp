#include "compiler/reader/opaque_attributes.hpp"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tandem::compiler {
namespace {

using llvm::StringRef;

mlir::StringAttr enumerator(mlir::MLIRContext* context, StringRef data) {
  return mlir::StringAttr::get(context, data.rsplit(' ').second);
}

// "[1, 2]" or "3", with anything after it; removes it from the text.
bool take_numbers(StringRef& text, llvm::SmallVector<std::int64_t>& numbers) {
  text = text.ltrim();
  const bool list = text.consume_front("[");
  while (!text.ltrim().starts_with("]")) {
    std::int64_t value = 0;
    text = text.ltrim(" ,");
    if (text.consumeInteger(10, value)) return false;
    numbers.push_back(value);
    if (!list) return true;
  }
  text = text.ltrim().drop_front();
  return list;
}

// "dot<a = [1], b = 2>".
bool expand_fields(mlir::MLIRContext* context, StringRef data, mlir::NamedAttrList& result) {
  data = data.split('<').second.rtrim('>');
  while (!data.trim(" ,\n").empty()) {
    const auto [name, rest] = data.ltrim(" ,\n").split('=');
    llvm::SmallVector<std::int64_t> numbers;
    data = rest;
    if (name.trim().empty() || !take_numbers(data, numbers)) return false;
    if (name.trim() == "index_vector_dim") {
      result.set(name.trim(),
                 mlir::IntegerAttr::get(mlir::IntegerType::get(context, 64), numbers.front()));
    } else {
      result.set(name.trim(), mlir::DenseI64ArrayAttr::get(context, numbers));
    }
  }
  return true;
}

// As in read_vhlo_attribute: the operand's number, then the result's.
mlir::Attribute alias(mlir::MLIRContext* context, StringRef data) {
  mlir::NamedAttrList fields;
  if (!expand_fields(context, data, fields)) return mlir::StringAttr::get(context, data);
  llvm::SmallVector<std::int64_t> numbers;
  for (const StringRef name : {"operand_index", "output_tuple_indices"}) {
    if (const auto list = mlir::dyn_cast_or_null<mlir::DenseI64ArrayAttr>(fields.get(name))) {
      numbers.append(list.asArrayRef().begin(), list.asArrayRef().end());
    }
  }
  return mlir::DenseI64ArrayAttr::get(context, numbers);
}

}  // namespace

mlir::LogicalResult expand_opaque(mlir::Operation* op, mlir::NamedAttribute entry,
                                  mlir::NamedAttrList& result) {
  mlir::MLIRContext* context = op->getContext();
  if (const auto list = mlir::dyn_cast<mlir::ArrayAttr>(entry.getValue())) {
    llvm::SmallVector<mlir::Attribute> plain;
    for (const mlir::Attribute item : list) {
      const auto opaque = mlir::dyn_cast<mlir::OpaqueAttr>(item);
      if (opaque && opaque.getAttrData().starts_with("output_operand_alias<")) {
        plain.push_back(alias(context, opaque.getAttrData()));
        continue;
      }
      plain.push_back(opaque ? enumerator(context, opaque.getAttrData()) : item);
    }
    result.set(entry.getName(), mlir::ArrayAttr::get(context, plain));
    return mlir::success();
  }
  const auto opaque = mlir::dyn_cast<mlir::OpaqueAttr>(entry.getValue());
  if (!opaque) {
    result.set(entry.getName(), entry.getValue());
    return mlir::success();
  }
  const StringRef data = opaque.getAttrData();
  // "comparison_direction LT"; structures have brackets.
  if (!data.contains('<')) {
    result.set(entry.getName(), enumerator(context, data));
    return mlir::success();
  }
  const bool known =
      data.starts_with("dot<") || data.starts_with("gather<") || data.starts_with("scatter<");
  if (known && expand_fields(context, data, result)) return mlir::success();
  // Others matter only to operations that are refused by name later.
  result.set(entry.getName(), mlir::StringAttr::get(context, data));
  return mlir::success();
}

}  // namespace tandem::compiler
