#include "compiler/reader/opaque_attributes.hpp"

#include <array>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
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
    if (name.trim() == "index_vector_dim" || name.trim().ends_with("_dimension")) {
      result.set(name.trim(),
                 mlir::IntegerAttr::get(mlir::IntegerType::get(context, 64), numbers.front()));
    } else {
      result.set(name.trim(), mlir::DenseI64ArrayAttr::get(context, numbers));
    }
  }
  return true;
}

// "[b, 0, 1, f]": where a tensor of a convolution has its two dimensions of names, and those of its
// window in their order. Takes it off the text.
bool take_roles(StringRef& text, llvm::StringLiteral first, llvm::StringLiteral second,
                std::array<std::int64_t, 2>& named, llvm::SmallVector<std::int64_t>& spatial) {
  text = text.ltrim();
  const std::size_t end = text.find(']');
  if (!text.consume_front("[") || end == StringRef::npos) return false;
  llvm::SmallVector<StringRef> items;
  text.take_front(end - 1).split(items, ',');
  text = text.drop_front(end);
  if (items.size() < 2) return false;
  named = {-1, -1};
  spatial.assign(items.size() - 2, -1);
  for (const auto [at, item] : llvm::enumerate(items)) {
    std::size_t number = 0;
    const auto place = static_cast<std::int64_t>(at);
    if (item.trim() == first || item.trim() == second) {
      named.at(item.trim() == first ? 0 : 1) = place;
    } else if (!item.trim().getAsInteger(10, number) && number < spatial.size()) {
      spatial[number] = place;
    } else {
      return false;
    }
  }
  return !llvm::is_contained(named, -1) && !llvm::is_contained(spatial, -1);
}

// "conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>", or "conv<raw input_batch_dimension = 0, ...>".
bool expand_convolution(mlir::MLIRContext* context, StringRef data, mlir::NamedAttrList& result) {
  if (data.starts_with("conv<raw ")) {
    return expand_fields(context, ("conv<" + data.drop_front(9)).str(), result);
  }
  struct Tensor {
    llvm::StringLiteral before, name, first, letter_of_first, second, letter_of_second;
  };
  constexpr std::array<Tensor, 3> tensors{
      {{"conv<", "input", "batch", "b", "feature", "f"},
       {"x", "kernel", "input_feature", "i", "output_feature", "o"},
       {"->", "output", "batch", "b", "feature", "f"}}};
  const auto word = mlir::IntegerType::get(context, 64);
  for (const Tensor& tensor : tensors) {
    std::array<std::int64_t, 2> named{};
    llvm::SmallVector<std::int64_t> spatial;
    data = data.ltrim();
    if (!data.consume_front(tensor.before) ||
        !take_roles(data, tensor.letter_of_first, tensor.letter_of_second, named, spatial)) {
      return false;
    }
    const auto full = [&](StringRef role) {
      return (tensor.name + "_" + role + "_dimension").str();
    };
    result.set(full(tensor.first), mlir::IntegerAttr::get(word, named[0]));
    result.set(full(tensor.second), mlir::IntegerAttr::get(word, named[1]));
    result.set(full("spatial") + "s", mlir::DenseI64ArrayAttr::get(context, spatial));
  }
  return data.trim() == ">";
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
  if (data.starts_with("conv<")) {
    if (expand_convolution(context, data, result)) return mlir::success();
    return op->emitError("`") << entry.getName().getValue() << "` are none of a convolution";
  }
  const bool known =
      data.starts_with("dot<") || data.starts_with("gather<") || data.starts_with("scatter<");
  if (known && expand_fields(context, data, result)) return mlir::success();
  // Others matter only to operations that are refused by name later.
  result.set(entry.getName(), mlir::StringAttr::get(context, data));
  return mlir::success();
}

}  // namespace tandem::compiler
