#include "tests/mutants/compiler/changes.hpp"

#include <array>
#include <map>

#include "compiler/tpu/dialect.hpp"
#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tandem::mutants {
namespace {

namespace arith = mlir::arith;
namespace scf = mlir::scf;
using mlir::Operation;

std::int64_t step_of(unsigned place) { return place % 2 == 0 ? 1 : -1; }

bool constant(Operation* op, unsigned place) {
  auto number = mlir::dyn_cast<arith::ConstantOp>(op);
  const auto value = number ? mlir::dyn_cast<mlir::IntegerAttr>(number.getValue()) : nullptr;
  if (!value || place > 1 || value.getType().isInteger(1)) return false;
  number.setValueAttr(mlir::IntegerAttr::get(
      value.getType(), value.getValue() + static_cast<std::uint64_t>(step_of(place))));
  return true;
}

bool sign(Operation* op, unsigned place) {
  auto number = mlir::dyn_cast<arith::ConstantOp>(op);
  const auto value = number ? mlir::dyn_cast<mlir::FloatAttr>(number.getValue()) : nullptr;
  if (!value || place != 0 || value.getValue().isZero()) return false;
  number.setValueAttr(mlir::FloatAttr::get(value.getType(), -value.getValue()));
  return true;
}

// A loop begins a step later, or ends one earlier.
bool bound(Operation* op, unsigned place) {
  auto loop = mlir::dyn_cast<scf::ForOp>(op);
  if (!loop || place > 1) return false;
  mlir::OpBuilder builder(op);
  const auto loc = op->getLoc();
  if (place == 0) {
    loop.setUpperBound(
        arith::SubIOp::create(builder, loc, loop.getUpperBound(), loop.getStep()).getResult());
  } else {
    loop.setLowerBound(
        arith::AddIOp::create(builder, loc, loop.getLowerBound(), loop.getStep()).getResult());
  }
  return true;
}

bool compare(Operation* op, unsigned place) {
  if (place != 0) return false;
  if (auto compares = mlir::dyn_cast<arith::CmpIOp>(op)) {
    const auto now = static_cast<unsigned>(compares.getPredicate());
    compares.setPredicate(static_cast<arith::CmpIPredicate>(now ^ 1U));  // eq/ne, slt/sle ...
    return true;
  }
  if (auto compares = mlir::dyn_cast<arith::CmpFOp>(op)) {
    using enum arith::CmpFPredicate;
    static const std::map<arith::CmpFPredicate, arith::CmpFPredicate> others{
        {OLT, OGT}, {OGT, OLT}, {OLE, OGE}, {OGE, OLE}, {OEQ, UNE}, {UNE, OEQ}, {UGT, ULT}};
    const auto found = others.find(compares.getPredicate());
    if (found == others.end()) return false;
    compares.setPredicate(found->second);
    return true;
  }
  return false;
}

// Two operands of one type change places.
bool swap(Operation* op, unsigned place) {
  if (op->hasTrait<mlir::OpTrait::IsCommutative>() || place + 1 >= op->getNumOperands()) {
    return false;
  }
  const mlir::Value a = op->getOperand(place);
  const mlir::Value b = op->getOperand(place + 1);
  if (a == b || a.getType() != b.getType()) return false;
  op->setOperand(place, b);
  op->setOperand(place + 1, a);
  return true;
}

// An operand is replaced by another value of its type: the last one defined before.
bool edge(Operation* op, unsigned place) {
  if (place >= op->getNumOperands()) return false;
  const mlir::Value now = op->getOperand(place);
  for (Operation* before = op->getPrevNode(); before != nullptr; before = before->getPrevNode()) {
    for (const mlir::Value other : before->getResults()) {
      if (other == now || other.getType() != now.getType()) continue;
      op->setOperand(place, other);
      return true;
    }
  }
  return false;
}

bool operation(Operation* op, unsigned place) {
  static const llvm::StringMap<llvm::StringRef> others{
      {"arith.addf", "arith.subf"},         {"arith.subf", "arith.addf"},
      {"arith.mulf", "arith.addf"},         {"arith.addi", "arith.subi"},
      {"arith.subi", "arith.addi"},         {"arith.muli", "arith.addi"},
      {"arith.maximumf", "arith.minimumf"}, {"arith.maxsi", "arith.minsi"},
      {"tpu.vadd.f32", "tpu.vsub.f32"},     {"tpu.vsub.f32", "tpu.vadd.f32"},
      {"tpu.vmul.f32", "tpu.vadd.f32"},     {"tpu.vmax.f32", "tpu.vmin.f32"},
      {"tpu.vadd.s32", "tpu.vsub.s32"},     {"tpu.mand", "tpu.mor"},
      {"tpu.vlt.s32", "tpu.vle.s32"},       {"tpu.lsum.f32", "tpu.lmax.f32"},
      {"tpu.lmax.f32", "tpu.lmin.f32"},
  };
  const auto found = others.find(op->getName().getStringRef());
  if (place != 0 || found == others.end()) return false;
  mlir::OpBuilder builder(op);
  mlir::OperationState state(op->getLoc(), found->second, op->getOperands(), op->getResultTypes());
  // Optional attributes of arith (fast math, overflow) may be absent.
  if (compiler::instruction_of(op) != nullptr) state.addAttributes(op->getAttrs());
  op->replaceAllUsesWith(builder.create(state));
  op->erase();
  return true;
}

bool has_effect(Operation* op) {
  if (op->getNumRegions() != 0 && !mlir::isa<mlir::linalg::LinalgOp>(op)) return false;
  if (op->hasTrait<mlir::OpTrait::IsTerminator>() || op->getNumResults() != 0) return false;
  return !mlir::isMemoryEffectFree(op);
}

bool drop(Operation* op, unsigned place) {
  if (place != 0 || !has_effect(op)) return false;
  op->erase();
  return true;
}

// An operation with an effect is moved after the next one with an effect.
bool move(Operation* op, unsigned place) {
  if (place != 0 || !has_effect(op)) return false;
  for (Operation* next = op->getNextNode(); next != nullptr; next = next->getNextNode()) {
    if (mlir::isMemoryEffectFree(next) || next->hasTrait<mlir::OpTrait::IsTerminator>()) continue;
    op->moveAfter(next);
    return true;
  }
  return false;
}

// A number in an instruction: address, rows, stride, lane, flag ...
bool field(Operation* op, unsigned place) {
  if (compiler::instruction_of(op) == nullptr) return false;
  for (const mlir::NamedAttribute attribute : op->getAttrs()) {
    const auto number = mlir::dyn_cast<mlir::IntegerAttr>(attribute.getValue());
    if (!number) continue;
    if (place > 1) {
      place -= 2;
      continue;
    }
    op->setAttr(attribute.getName(),
                mlir::IntegerAttr::get(number.getType(), number.getInt() + step_of(place)));
    return true;
  }
  return false;
}

// Addresses, lengths, counts and strides of a copy.
bool descriptor(Operation* op, unsigned place) {
  const auto words = op->getAttrOfType<mlir::DenseI32ArrayAttr>("descriptor");
  constexpr std::array<unsigned, 12> fields{2, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  if (!words || place >= 2 * fields.size()) return false;
  llvm::SmallVector<std::int32_t> changed(words.asArrayRef());
  const unsigned word = fields[place / 2];
  const bool counts = word == 7 || word == 10 || word == 13;
  changed[word] += static_cast<std::int32_t>(step_of(place) * (counts ? 1 : 4));
  op->setAttr("descriptor", mlir::DenseI32ArrayAttr::get(op->getContext(), changed));
  return true;
}

// A buffer is moved eight rows, or to the place of another one.
bool address(Operation* op, unsigned place) {
  const auto number = op->getAttrOfType<mlir::IntegerAttr>("tandem.address");
  if (!number) return false;
  std::int64_t changed = number.getInt() + 128;
  if (place > 0) {
    llvm::SmallVector<std::int64_t> others;
    op->getParentOfType<mlir::func::FuncOp>().walk([&](mlir::memref::AllocOp other) {
      const auto its = other->getAttrOfType<mlir::IntegerAttr>("tandem.address");
      if (its && its != number) others.push_back(its.getInt());
    });
    if (place > others.size()) return false;
    changed = others[place - 1];
  }
  op->setAttr("tandem.address", mlir::IntegerAttr::get(number.getType(), changed));
  return true;
}

// An offset, size or stride of a view.
bool view(Operation* op, unsigned place) {
  for (const llvm::StringRef name : {"static_offsets", "static_sizes", "static_strides"}) {
    const auto numbers = op->getAttrOfType<mlir::DenseI64ArrayAttr>(name);
    if (!numbers) return false;
    const auto count = static_cast<unsigned>(numbers.size());
    if (place >= 2 * count) {
      place -= 2 * count;
      continue;
    }
    llvm::SmallVector<std::int64_t> changed(numbers.asArrayRef());
    std::int64_t& number = changed[place / 2];
    if (mlir::ShapedType::isDynamic(number)) return false;
    number += step_of(place);
    op->setAttr(name, mlir::DenseI64ArrayAttr::get(op->getContext(), changed));
    return true;
  }
  return false;
}

// A mask is missing, or the other way round.
bool mask(Operation* op, unsigned place) {
  const bool has_mask = op->getNumOperands() != 0 && compiler::instruction_of(op) != nullptr &&
                        mlir::isa<compiler::MaskType>(op->getOperands().back().getType());
  if (has_mask && place == 0) {
    op->eraseOperand(op->getNumOperands() - 1);
    return true;
  }
  const bool selects = compiler::is_named(op, "vsel");
  if (!(has_mask && place == 1) && !(selects && place == 0)) return false;
  const llvm::StringRef name = selects ? "not_ma" : "not_mask";
  if (op->hasAttr(name)) return op->removeAttr(name), true;
  op->setAttr(name, mlir::UnitAttr::get(op->getContext()));
  return true;
}

// The attributes of an operation.
bool flag(Operation* op, unsigned place) {
  for (const mlir::NamedAttribute attribute : op->getAttrs()) {
    if (!mlir::isa<mlir::UnitAttr>(attribute.getValue()) || attribute.getName() == "absolute" ||
        attribute.getName() == "restrict") {
      continue;
    }
    if (place-- != 0) continue;
    op->removeAttr(attribute.getName());
    return true;
  }
  return false;
}

// Two dimensions of an operand change places.
bool map(Operation* op, unsigned place) {
  auto generic = mlir::dyn_cast<mlir::linalg::GenericOp>(op);
  if (!generic || place >= generic.getIndexingMapsArray().size()) return false;
  llvm::SmallVector<mlir::AffineMap> maps = generic.getIndexingMapsArray();
  const mlir::AffineMap before = maps[place];
  if (before.getNumResults() < 2) return false;
  llvm::SmallVector<mlir::AffineExpr> results(before.getResults());
  std::swap(results[0], results[1]);
  maps[place] = mlir::AffineMap::get(before.getNumDims(), 0, results, op->getContext());
  if (maps[place] == before) return false;
  mlir::Builder builder(op->getContext());
  generic.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
  return true;
}

bool is_constant(Operation* op) { return mlir::isa<arith::ConstantOp>(op); }
bool is_loop(Operation* op) { return mlir::isa<scf::ForOp>(op); }
bool compares(Operation* op) { return mlir::isa<arith::CmpIOp, arith::CmpFOp>(op); }
bool has_operands(Operation* op) { return op->getNumOperands() != 0; }
bool is_instruction(Operation* op) { return compiler::instruction_of(op) != nullptr; }
bool has_descriptor(Operation* op) { return op->hasAttr("descriptor"); }
bool has_address(Operation* op) { return op->hasAttr("tandem.address"); }
bool has_offsets(Operation* op) { return op->hasAttr("static_offsets"); }
bool is_generic(Operation* op) { return mlir::isa<mlir::linalg::GenericOp>(op); }
bool is_any(Operation* op) { return op->getNumResults() != 0 || is_instruction(op); }

}  // namespace

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"constant", is_constant, constant},
      {"sign", is_constant, sign},
      {"bound", is_loop, bound},
      {"compare", compares, compare},
      {"swap", has_operands, swap},
      {"edge", has_operands, edge},
      {"operation", is_any, operation},
      {"drop", has_effect, drop},
      {"move", has_effect, move},
      {"field", is_instruction, field},
      {"descriptor", has_descriptor, descriptor},
      {"address", has_address, address},
      {"view", has_offsets, view},
      {"mask", is_instruction, mask},
      {"flag", has_operands, flag},
      {"map", is_generic, map},
  };
  return all;
}

}  // namespace tandem::mutants
