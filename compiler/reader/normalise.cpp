// Converts vhlo.* and the attributes of StableHLO's text to one normal form.
#include "compiler/reader/opaque_attributes.hpp"
#include "compiler/reader/read.hpp"
#include "compiler/reader/vhlo_attributes.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

namespace tandem::compiler {
namespace {

using mlir::Operation;

// "vhlo.add_v1" -> "add".
llvm::StringRef plain_name(Operation* op) {
  const llvm::StringRef name = op->getName().getStringRef();
  return name.drop_front(name.find('.') + 1).rsplit("_v").first;
}

// Integer tensors other than constants, and rows of numbers, are really lists.
mlir::Attribute plain_attribute(mlir::StringAttr name, mlir::Attribute value) {
  const auto numbers = mlir::dyn_cast<mlir::DenseIntElementsAttr>(value);
  const bool is_table =
      name == "value" || name == "replica_groups" || name == "source_target_pairs";
  if (!numbers || is_table || !numbers.getElementType().isInteger(64)) return value;
  const llvm::SmallVector<std::int64_t> list(numbers.getValues<std::int64_t>());
  return mlir::DenseI64ArrayAttr::get(value.getContext(), list);
}

mlir::LogicalResult plain_attributes(Operation* op, mlir::NamedAttrList& result) {
  mlir::NamedAttrList given = op->getDiscardableAttrDictionary();
  if (const auto properties =
          mlir::dyn_cast_or_null<mlir::DictionaryAttr>(op->getPropertiesAsAttribute())) {
    given.append(properties.getValue());
  }
  for (const mlir::NamedAttribute entry : given) {
    if (entry.getName() == "result_accuracy") continue;
    if (mlir::failed(expand_opaque(op, entry, result))) return mlir::failure();
  }
  for (mlir::NamedAttribute& entry : result) {
    entry.setValue(plain_attribute(entry.getName(), entry.getValue()));
  }
  return mlir::success();
}

Operation* rebuild(Operation* op, llvm::StringRef name, mlir::NamedAttrList& attributes) {
  mlir::OperationState state(op->getLoc(), name, op->getOperands(), op->getResultTypes(),
                             attributes);
  for (mlir::Region& region : op->getRegions()) state.addRegion()->takeBody(region);
  Operation* created = mlir::OpBuilder(op).create(state);
  op->replaceAllUsesWith(created);
  op->erase();
  return created;
}

template <typename Kind>
Kind take(mlir::NamedAttrList& attributes, llvm::StringRef name) {
  return mlir::dyn_cast_or_null<Kind>(attributes.erase(name));
}

mlir::LogicalResult rebuild_function(Operation* op, mlir::NamedAttrList& attributes) {
  const auto name = take<mlir::StringAttr>(attributes, "sym_name");
  const auto type_attribute = take<mlir::TypeAttr>(attributes, "function_type");
  const auto visibility = take<mlir::StringAttr>(attributes, "sym_visibility");
  const auto arguments = take<mlir::ArrayAttr>(attributes, "arg_attrs");
  const auto results = take<mlir::ArrayAttr>(attributes, "res_attrs");
  const auto type =
      type_attribute ? mlir::dyn_cast<mlir::FunctionType>(type_attribute.getValue()) : nullptr;
  if (!name || !type || op->getNumRegions() != 1 || op->getRegion(0).empty()) {
    return op->emitError("a function without name, type or body");
  }
  mlir::OpBuilder builder(op);
  auto function = mlir::func::FuncOp::create(builder, op->getLoc(), name, type);
  if (visibility && !visibility.empty()) function.setSymVisibilityAttr(visibility);
  if (arguments && arguments.size() == type.getNumInputs()) function.setArgAttrsAttr(arguments);
  if (results && results.size() == type.getNumResults()) function.setResAttrsAttr(results);
  function.getBody().takeBody(op->getRegion(0));
  op->erase();
  return mlir::success();
}

mlir::LogicalResult rebuild_call(Operation* op, mlir::NamedAttrList& attributes) {
  const auto callee = take<mlir::StringAttr>(attributes, "callee");
  if (!callee) return op->emitError("a call that names no function");
  attributes.set("callee", mlir::FlatSymbolRefAttr::get(callee));
  rebuild(op, "func.call", attributes);
  return mlir::success();
}

// Shardings mean nothing on one device; the dialects' casts are between types that are now the
// same.
mlir::LogicalResult drop_forwarding(Operation* op) {
  if (op->getNumOperands() != op->getNumResults() ||
      op->getOperandTypes() != op->getResultTypes()) {
    return op->emitError("unimplemented: ") << op->getName() << " on one device";
  }
  op->replaceAllUsesWith(op->getOperands());
  op->erase();
  return mlir::success();
}

// The part of each device by itself. Where the parts are the whole, it is done in place.
mlir::LogicalResult inline_manual_computation(Operation* op) {
  if (op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock() ||
      op->getRegion(0).front().empty()) {
    return op->emitError("a computation without a body");
  }
  mlir::Block& body = op->getRegion(0).front();
  Operation& end = body.back();
  if (body.getArgumentTypes() != op->getOperandTypes() ||
      end.getOperandTypes() != op->getResultTypes()) {
    return op->emitError("unimplemented: a program over several devices");
  }
  for (const auto [argument, operand] : llvm::zip_equal(body.getArguments(), op->getOperands())) {
    argument.replaceAllUsesWith(operand);
  }
  op->replaceAllUsesWith(end.getOperands());
  op->getBlock()->getOperations().splice(op->getIterator(), body.getOperations(), body.begin(),
                                         end.getIterator());
  op->erase();
  return mlir::success();
}

// How programs that are not lowered with Shardy express a sharding, as JAX hands them to its users.
bool only_names_a_sharding(llvm::StringRef name, const mlir::NamedAttrList& attributes) {
  const auto target = mlir::dyn_cast_or_null<mlir::StringAttr>(attributes.get("call_target_name"));
  return name == "custom_call" && target && target.getValue() == "Sharding";
}

mlir::LogicalResult normalise_vhlo(Operation* op) {
  mlir::NamedAttrList attributes;
  if (mlir::failed(plain_attributes(op, attributes))) return mlir::failure();
  const llvm::StringRef name = plain_name(op);
  if (name == "func") return rebuild_function(op, attributes);
  if (name == "call") return rebuild_call(op, attributes);
  if (only_names_a_sharding(name, attributes)) return drop_forwarding(op);
  const bool leaves_function =
      name == "return" && (op->getParentOp()->getName().getStringRef() == "vhlo.func_v1" ||
                           mlir::isa<mlir::func::FuncOp>(op->getParentOp()));
  const std::string full = leaves_function ? "func.return" : "stablehlo." + name.str();
  rebuild(op, full, attributes);
  return mlir::success();
}

mlir::LogicalResult normalise_stablehlo(Operation* op) {
  mlir::NamedAttrList attributes;
  if (mlir::failed(plain_attributes(op, attributes))) return mlir::failure();
  if (only_names_a_sharding(plain_name(op), attributes)) return drop_forwarding(op);
  if (attributes.getDictionary(op->getContext()) == op->getDiscardableAttrDictionary() &&
      !op->getPropertiesAsAttribute()) {
    return mlir::success();
  }
  rebuild(op, op->getName().getStringRef().str(), attributes);
  return mlir::success();
}

mlir::LogicalResult normalise_operation(Operation* op) {
  const llvm::StringRef name = op->getName().getStringRef();
  if (name.starts_with("vhlo.")) return normalise_vhlo(op);
  if (name.starts_with("stablehlo.")) return normalise_stablehlo(op);
  if (name == "builtin.unrealized_conversion_cast" || name == "sdy.sharding_constraint") {
    return drop_forwarding(op);
  }
  if (name == "sdy.manual_computation") return inline_manual_computation(op);
  if (name == "sdy.mesh") op->erase();
  return mlir::success();
}

// Reports the first tensor that fits in no memory.
mlir::LogicalResult hold(mlir::Type type, mlir::Location place) {
  const auto sizes = too_large_tensor(type);
  if (!sizes) return mlir::success();
  return mlir::emitError(place) << "no room: a tensor of more than 2^40 elements, 'tensor<"
                                << *sizes << ">'";
}

mlir::LogicalResult hold_all_tensors(mlir::ModuleOp module) {
  const auto found = module.walk<mlir::WalkOrder::PreOrder>([](Operation* op) {
    for (const mlir::Type type : op->getResultTypes()) {
      if (mlir::failed(hold(type, op->getLoc()))) return mlir::WalkResult::interrupt();
    }
    for (mlir::Region& region : op->getRegions()) {
      for (const mlir::BlockArgument argument : region.getArguments()) {
        if (mlir::failed(hold(argument.getType(), argument.getLoc()))) {
          return mlir::WalkResult::interrupt();
        }
      }
    }
    return mlir::WalkResult::advance();
  });
  return mlir::failure(found.wasInterrupted());
}

// The number of devices that the program is for.
mlir::LogicalResult check_devices(mlir::ModuleOp module) {
  constexpr std::int64_t most = 64;
  for (const llvm::StringRef name : {"mhlo.num_partitions", "mhlo.num_replicas"}) {
    const mlir::Attribute attribute = module->getAttr(name);
    if (!attribute) continue;
    const auto number = mlir::dyn_cast<mlir::IntegerAttr>(attribute);
    if (number && number.getValue().sgt(0) && number.getValue().getActiveBits() < 64 &&
        number.getValue().getSExtValue() <= most) {
      continue;
    }
    return module.emitError("unimplemented: ")
           << name << " is " << attribute << "; a program is for 1 to " << most << " devices";
  }
  return mlir::success();
}

}  // namespace

mlir::LogicalResult normalise(mlir::ModuleOp module) {
  if (mlir::failed(hold_all_tensors(module)) || mlir::failed(check_devices(module))) {
    return mlir::failure();
  }
  llvm::SmallVector<Operation*> all;
  // Innermost first, so a return still sees the kind of its function.
  module.walk<mlir::WalkOrder::PostOrder>([&](Operation* op) {
    if (op != module) all.push_back(op);
  });
  for (Operation* op : all) {
    if (mlir::failed(normalise_operation(op))) return mlir::failure();
  }
  resolve_alone(module);
  return mlir::success();
}

}  // namespace tandem::compiler
