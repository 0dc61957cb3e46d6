#include "compiler/mosaic/verify.hpp"

#include <numeric>

#include "compiler/mosaic/accesses.hpp"
#include "llvm/ADT/StringMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler::mosaic {
namespace {

using mlir::Operation;
using mlir::Type;
using Sizes = llvm::ArrayRef<std::int64_t>;
using Types = llvm::SmallVector<Type>;

struct Form {
  llvm::StringLiteral operands;
  llvm::StringLiteral results;
  unsigned regions;
};

const Form* form_of(llvm::StringRef name) {
  static const llvm::StringMap<Form> table{
#define OPERATION(NAME, OPERANDS, RESULTS, REGIONS) {#NAME, {OPERANDS, RESULTS, REGIONS}},
#include "compiler/mosaic/operations.def"
#undef OPERATION
  };
  const auto found = table.find(name);
  return found == table.end() ? nullptr : &found->second;
}

bool is_scalar(Type type) { return type.isIntOrIndexOrFloat(); }

bool is_kind(char kind, Type type) {
  const auto memref = mlir::dyn_cast<mlir::MemRefType>(type);
  const auto vector = mlir::dyn_cast<mlir::VectorType>(type);
  switch (kind) {
    case 'm': return memref && memref.hasStaticShape();
    case 'v': return vector && !vector.isScalable();
    case 's': return is_scalar(type);
    case 'x': return is_scalar(type) || (vector && !vector.isScalable());
    default: return true;
  }
}

// Only the last letter can be a star.
bool fits(llvm::StringRef form, mlir::TypeRange types) {
  for (std::size_t i = 0; i < form.size(); ++i) {
    const char kind = form[i];
    if (form.substr(i + 1) == "*") {
      return llvm::all_of(types, [&](Type type) { return is_kind(kind, type); });
    }
    if (types.empty() || !is_kind(kind, types.front())) return false;
    types = types.drop_front();
  }
  return types.empty();
}

Sizes shape_of(Type type) {
  const auto shaped = mlir::dyn_cast<mlir::ShapedType>(type);
  return shaped ? shaped.getShape() : Sizes();
}

std::int64_t elements(Type type) {
  const Sizes shape = shape_of(type);
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

bool are_dimensions(Sizes numbers, std::int64_t rank) {
  llvm::SmallVector<bool> seen(static_cast<std::size_t>(rank), false);
  return llvm::all_of(numbers, [&](std::int64_t number) {
    if (number < 0 || number >= rank || seen[static_cast<std::size_t>(number)]) return false;
    seen[static_cast<std::size_t>(number)] = true;
    return true;
  });
}

// Vectors of one shape, except the condition of a choice.
std::string elementwise_fault(Operation* op) {
  if (op->getNumOperands() == 0 || op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      !fits("x*", op->getOperandTypes()) || !fits("x", op->getResultTypes())) {
    return "it takes elements and makes elements";
  }
  const Sizes shape = shape_of(op->getResult(0).getType());
  const bool is_vector = mlir::isa<mlir::VectorType>(op->getResult(0).getType());
  for (const auto [number, type] : llvm::enumerate(op->getOperandTypes())) {
    const bool decides = number == 0 && name_of(op) == "arith.select" && type.isInteger(1);
    if (decides || (mlir::isa<mlir::VectorType>(type) == is_vector && shape_of(type) == shape)) {
      continue;
    }
    return "its operands and its result have one shape";
  }
  return "";
}

// Of floats: the same floats, or one truth value each.
std::string real_fault(Operation* op) {
  const Type from = mlir::getElementTypeOrSelf(op->getOperand(0).getType());
  const Type to = mlir::getElementTypeOrSelf(op->getResult(0).getType());
  const bool fits = name_of(op) == "tpu.weird" ? to.isInteger(1) : to == from;
  return mlir::isa<mlir::FloatType>(from) && fits ? elementwise_fault(op)
                                                  : "it takes floats and makes elements of them";
}

// A part of a memref, `first` the operand that is the memref.
std::string part_fault(Operation* op, unsigned first, Sizes part) {
  const Sizes whole = shape_of(op->getOperand(first).getType());
  const bool masks = name_of(op) == "tpu.vector_store";
  const std::size_t places = op->getNumOperands() - first - 1;
  if (places != whole.size() && !(masks && places == whole.size() + 1)) {
    return "it has a place for each dimension";
  }
  for (const mlir::Value place : op->getOperands().slice(first + 1, whole.size())) {
    if (!place.getType().isIntOrIndex()) return "its places are integers";
  }
  if (part.empty() && name_of(op).starts_with("memref.")) return "";  // a single element
  if (part.size() != whole.size()) return "the part has as many dimensions as the whole";
  const auto steps = integers_of(op, "strides");
  if (!steps.empty() && steps.size() != part.size()) return "it has a stride for each dimension";
  for (const auto [dimension, sizes] : llvm::enumerate(llvm::zip(part, whole))) {
    const auto [size, extent] = sizes;
    const std::int64_t step = steps.empty() ? 1 : steps[dimension];
    const auto place = constant_of(op->getOperand(first + 1 + static_cast<unsigned>(dimension)));
    const std::int64_t begin = place.value_or(0);
    if (step < 1 || begin < 0 || begin + (size - 1) * step >= extent) {
      return "the part is inside of the whole";
    }
  }
  return "";
}

std::string broadcast_fault(Operation* op) {
  const Sizes from = shape_of(op->getOperand(0).getType());
  const Sizes to = shape_of(op->getResult(0).getType());
  const bool fits = from.size() <= to.size() &&
                    llvm::all_of(llvm::zip(from, to.take_back(from.size())), [](auto sizes) {
                      const auto [one, other] = sizes;
                      return one == 1 || one == other;
                    });
  return fits ? "" : "the vector goes into the result";
}

std::string transpose_fault(Operation* op) {
  const auto permutation = integers_of(op, "permutation");
  const Sizes from = shape_of(op->getOperand(0).getType());
  const Sizes to = shape_of(op->getResult(0).getType());
  if (from.size() != to.size() || permutation.size() != to.size() ||
      !are_dimensions(permutation, static_cast<std::int64_t>(to.size()))) {
    return "its permutation names each dimension";
  }
  for (const auto [dimension, source] : llvm::enumerate(permutation)) {
    if (from[static_cast<std::size_t>(source)] != to[dimension])
      return "its result is the other way";
  }
  return "";
}

std::string concatenation_fault(Operation* op) {
  const auto number = op->getAttrOfType<mlir::IntegerAttr>("dimension");
  const Sizes to = shape_of(op->getResult(0).getType());
  if (!number || number.getInt() < 0 || number.getInt() >= static_cast<std::int64_t>(to.size())) {
    return "its dimension is one of the result";
  }
  const auto along = static_cast<std::size_t>(number.getInt());
  std::int64_t sum = 0;
  for (const Type type : op->getOperandTypes()) {
    llvm::SmallVector<std::int64_t> shape(shape_of(type));
    if (shape.size() != to.size()) return "its operands have the dimensions of the result";
    sum += shape[along];
    shape[along] = to[along];
    if (Sizes(shape) != to) return "its operands fit";
  }
  return sum == to[along] ? "" : "its operands are the result";
}

std::string reduction_fault(Operation* op) {
  const auto dimensions = integers_of(op, "reduction_dims");
  const Sizes from = shape_of(op->getOperand(0).getType());
  if (!are_dimensions(dimensions, static_cast<std::int64_t>(from.size()))) {
    return "it sums over dimensions";
  }
  llvm::SmallVector<std::int64_t> left;
  for (const auto [dimension, size] : llvm::enumerate(from)) {
    if (!llvm::is_contained(dimensions, static_cast<std::int64_t>(dimension))) left.push_back(size);
  }
  const bool fits = Sizes(left) == shape_of(op->getResult(0).getType()) &&
                    op->getOperand(1).getType() == op->getResult(0).getType();
  return fits ? "" : "the other dimensions are the result";
}

std::string index_fault(Operation* op) {
  const auto number = op->getAttrOfType<mlir::IntegerAttr>("axis");
  llvm::SmallVector<std::int64_t> shape(shape_of(op->getOperand(0).getType()));
  const bool fits =
      number && number.getInt() >= 0 && number.getInt() < static_cast<std::int64_t>(shape.size());
  if (fits) shape.erase(shape.begin() + number.getInt());
  return fits && Sizes(shape) == shape_of(op->getResult(0).getType())
             ? ""
             : "it finds an index along one of its dimensions";
}

std::string slice_fault(Operation* op) {
  const auto numbers = [&](llvm::StringRef name) {
    const auto list = op->getAttrOfType<mlir::ArrayAttr>(name);
    return list ? list.getValue() : llvm::ArrayRef<mlir::Attribute>();
  };
  const Sizes from = shape_of(op->getOperand(0).getType());
  const Sizes to = shape_of(op->getResult(0).getType());
  if (from.size() != to.size() || numbers("offsets").size() > to.size() ||
      numbers("strides").size() > to.size()) {
    return "it has the dimensions of its operand";
  }
  for (std::size_t i = 0; i < to.size(); ++i) {
    const auto at = [&](llvm::StringRef name, std::int64_t other) {
      const auto list = numbers(name);
      const auto number = i < list.size() ? mlir::dyn_cast<mlir::IntegerAttr>(list[i]) : nullptr;
      return number ? number.getInt() : other;
    };
    const std::int64_t step = at("strides", 1);
    const std::int64_t begin = at("offsets", 0);
    if (step < 1 || begin < 0 || begin + (to[i] - 1) * step >= from[i]) {
      return "it is inside of its operand";
    }
  }
  return "";
}

std::string extract_fault(Operation* op) {
  const auto places = integers_of(op, "static_position");
  const Sizes from = shape_of(op->getOperand(0).getType());
  if (places.size() > from.size() ||
      shape_of(op->getResult(0).getType()) != from.drop_front(places.size())) {
    return "it is a part of its operand";
  }
  for (const auto [place, size] : llvm::zip(places, from)) {
    // Computed places count as the smallest number.
    if (op->getNumOperands() == 1 && (place < 0 || place >= size)) return "it is in its operand";
  }
  return "";
}

std::string rotate_fault(Operation* op) {
  const auto number = op->getAttrOfType<mlir::IntegerAttr>("dimension");
  const auto rank = static_cast<std::int64_t>(shape_of(op->getResult(0).getType()).size());
  const bool fits = op->getOperand(0).getType() == op->getResult(0).getType() &&
                    op->getOperand(1).getType().isInteger(32) && number && number.getInt() >= 0 &&
                    number.getInt() < rank;
  return fits ? "" : "it moves along one of its dimensions";
}

std::string view_fault(Operation* op) {
  const Type from = op->getOperand(0).getType();
  const Type to = op->getResult(0).getType();
  if (is_semaphore(from) != is_semaphore(to)) return "semaphores stay semaphores";
  const auto units = [](Sizes shape) {
    llvm::SmallVector<std::int64_t> result;
    llvm::copy_if(shape, std::back_inserter(result), [](std::int64_t size) { return size != 1; });
    return result;
  };
  if (name_of(op) == "tpu.memref_slice") return part_fault(op, 0, shape_of(to));
  if (name_of(op) == "tpu.memref_squeeze") {
    return units(shape_of(from)) == units(shape_of(to)) ? "" : "only dimensions of size one go";
  }
  if (name_of(op) == "tpu.memref_bitcast") {
    return shape_of(from).size() == shape_of(to).size() ? ""
                                                        : "it has the dimensions of its operand";
  }
  return elements(from) == elements(to) ? "" : "it has the elements of its operand";
}

std::string copy_fault(Operation* op) {
  const auto target = llvm::find_if(llvm::drop_begin(op->getOperands()), [](mlir::Value operand) {
    return mlir::isa<mlir::MemRefType>(operand.getType()) && !is_semaphore(operand.getType());
  });
  if (target == op->operand_end() || is_semaphore(op->getOperand(0).getType())) {
    return "it copies from one reference to another";
  }
  const auto from = mlir::cast<mlir::MemRefType>(op->getOperand(0).getType());
  const auto to = mlir::cast<mlir::MemRefType>((*target).getType());
  return from.getShape() == to.getShape() && from.getElementType() == to.getElementType()
             ? ""
             : "both references have one shape";
}

// The operands and results of a region.
std::string control_fault(Operation* op) {
  const llvm::StringRef name = name_of(op);
  for (auto [number, region] : llvm::enumerate(op->getRegions())) {
    if (region.empty() && name == "scf.if" && op->getNumResults() == 0) continue;
    if (!region.hasOneBlock() || region.front().empty()) return "its regions are blocks";
    mlir::Block& block = region.front();
    const bool asks = name == "scf.while" && number == 0;
    if (!fits("x*", block.getArgumentTypes())) return "its regions take values";
    const Types given(op->getOperandTypes().begin(), op->getOperandTypes().end());
    const Types results(op->getResultTypes().begin(), op->getResultTypes().end());
    const Types in(block.getArgumentTypes().begin(), block.getArgumentTypes().end());
    const Types out(block.back().getOperandTypes().begin(), block.back().getOperandTypes().end());
    const llvm::StringRef end = name_of(&block.back());
    Types hands_on = name == "scf.while" && !asks ? given : results;
    if (asks) hands_on.insert(hands_on.begin(), mlir::IntegerType::get(op->getContext(), 1));
    const bool ends = asks ? end == "scf.condition" : end == "scf.yield" || end == "tpu.yield";
    if (!ends || out != hands_on) return "its regions end with what it hands on";
    Types takes;
    if (name == "scf.while") takes = asks ? given : results;
    if (name == "scf.for") {
      takes.append(given.begin() + 2, given.end());  // the first one is the number of the iteration
      if (!given[2].isIntOrIndex() || Types(given.begin() + 3, given.end()) != results) {
        return "it hands on what it is given";
      }
    }
    if (in != takes) return "its regions take what it is given";
  }
  if (name == "scf.if" && !op->getOperand(0).getType().isInteger(1)) return "it asks a truth value";
  return "";
}

std::string fault_at(Operation* op) {
  const llvm::StringRef name = name_of(op);
  const Form* form = form_of(name);
  if (form == nullptr) return is_elementwise(op) ? elementwise_fault(op) : "";
  if (!fits(form->operands, op->getOperandTypes()) || !fits(form->results, op->getResultTypes()) ||
      op->getNumRegions() != form->regions || op->getNumSuccessors() != 0) {
    return "its operands, results or regions are others than it has";
  }
  const auto vector = [&](unsigned operand) { return shape_of(op->getOperand(operand).getType()); };
  if (op->getNumRegions() != 0) return control_fault(op);
  if (name == "vector.load" || name == "tpu.strided_load") {
    return part_fault(op, 0, shape_of(op->getResult(0).getType()));
  }
  if (name == "memref.load") return part_fault(op, 0, {});
  if (name == "memref.store") return part_fault(op, 1, {});
  if (name.ends_with("store")) return part_fault(op, 1, vector(0));
  if (name == "vector.broadcast") return broadcast_fault(op);
  if (name == "vector.shape_cast") {
    const bool same = elements(op->getOperand(0).getType()) == elements(op->getResult(0).getType());
    return same ? "" : "it has the elements of its operand";
  }
  if (name == "vector.transpose" || name == "tpu.transpose") return transpose_fault(op);
  if (name == "tpu.concatenate") return concatenation_fault(op);
  if (name == "vector.multi_reduction") return reduction_fault(op);
  if (name == "tpu.reduce_index") return index_fault(op);
  if (name == "vector.extract_strided_slice") return slice_fault(op);
  if (name == "vector.extract") return extract_fault(op);
  if (name == "tpu.dynamic_rotate") return rotate_fault(op);
  if (name.starts_with("tpu.memref_")) return view_fault(op);
  if (name == "tpu.weird" || name == "tpu.reciprocal") return real_fault(op);
  if (name == "tpu.enqueue_dma") return copy_fault(op);
  if (name == "tpu.matmul" && op->getOperand(2).getType() != op->getResult(0).getType()) {
    return "its sums have the result's type";
  }
  return "";
}

}  // namespace

Fault fault_of(mlir::Block& body) {
  Fault fault;
  body.walk([&](Operation* op) {
    fault.what = fault_at(op);
    fault.op = op;
    return fault.what.empty() ? mlir::WalkResult::advance() : mlir::WalkResult::interrupt();
  });
  return fault;
}

}  // namespace tandem::compiler::mosaic
