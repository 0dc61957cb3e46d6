// The table of selections: operation of arith or math -> instructions.
#include <bit>

#include "compiler/contract/attributes.hpp"
#include "compiler/tpu/dialect.hpp"
#include "compiler/tpu/expansions/expansions.hpp"
#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using mlir::Value;
using Operands = llvm::ArrayRef<Value>;

bool is_truth(mlir::Operation* op) { return op->getResult(0).getType().isInteger(1); }
unsigned operand_width(mlir::Operation* op) {
  const mlir::Type type = op->getOperand(0).getType();
  return type.isIndex() ? 32 : type.getIntOrFloatBitWidth();
}

Value sign_extended(Selector& s, Value value, unsigned width) {
  if (width >= 32) return value;
  const Value amount = s.number(32 - width);
  return s.make("vsar", {s.make("vshl", {value, amount}), amount});
}

Value zero_extended(Selector& s, Value value, unsigned width) {
  return width >= 32 ? value : s.make("vand", {value, s.number((std::int64_t{1} << width) - 1)});
}

Value compare_real(Selector& s, mlir::Operation* op, Operands x) {
  using enum arith::CmpFPredicate;
  const auto ordered = [&](Value a, Value b) {
    return s.make("mand", {s.make("veq.f32", {a, a}), s.make("veq.f32", {b, b})});
  };
  const auto less = [&](Value a, Value b) { return s.make("vlt.f32", {a, b}); };
  const auto not_above = [&](Value a, Value b) { return s.make("vle.f32", {a, b}); };
  switch (mlir::cast<arith::CmpFOp>(op).getPredicate()) {
    case AlwaysFalse: return s.make("vne.s32", {s.number(0), s.number(0)});
    case AlwaysTrue: return s.make("veq.s32", {s.number(0), s.number(0)});
    case OEQ: return s.make("veq.f32", x);
    case UNE: return s.make("vne.f32", x);
    case OLT: return less(x[0], x[1]);
    case OLE: return not_above(x[0], x[1]);
    case OGT: return less(x[1], x[0]);
    case OGE: return not_above(x[1], x[0]);
    case ULT: return s.not_mask(not_above(x[1], x[0]));
    case ULE: return s.not_mask(less(x[1], x[0]));
    case UGT: return s.not_mask(not_above(x[0], x[1]));
    case UGE: return s.not_mask(less(x[0], x[1]));
    case ONE: return s.make("mor", {less(x[0], x[1]), less(x[1], x[0])});
    case UEQ: return s.not_mask(s.make("mor", {less(x[0], x[1]), less(x[1], x[0])}));
    case ORD: return ordered(x[0], x[1]);
    case UNO: return s.not_mask(ordered(x[0], x[1]));
  }
  return {};
}

Value compare_word(Selector& s, arith::CmpIPredicate predicate, Value a, Value b) {
  using enum arith::CmpIPredicate;
  switch (predicate) {
    case eq: return s.make("veq.s32", {a, b});
    case ne: return s.make("vne.s32", {a, b});
    case slt: return s.make("vlt.s32", {a, b});
    case sle: return s.make("vle.s32", {a, b});
    case sgt: return s.make("vlt.s32", {b, a});
    case sge: return s.make("vle.s32", {b, a});
    case ult: return s.make("vlt.u32", {a, b});
    case ule: return s.make("vle.u32", {a, b});
    case ugt: return s.make("vlt.u32", {b, a});
    case uge: return s.make("vle.u32", {b, a});
  }
  return {};
}

Value compare_integer(Selector& s, mlir::Operation* op, Operands x) {
  const auto predicate = mlir::cast<arith::CmpIOp>(op).getPredicate();
  // Sign-extended words keep the order of unsigned narrow ones, too.
  return compare_word(s, predicate, s.as_vector(x[0]), s.as_vector(x[1]));
}

Value select_value(Selector& s, mlir::Operation* op, Operands x) {
  if (!is_truth(op)) return s.choose(x[0], x[1], x[2]);
  const Value mask = s.as_mask(x[0]);
  return s.make("mor", {s.make("mand", {mask, s.as_mask(x[1])}),
                        s.make("mand", {s.not_mask(mask), s.as_mask(x[2])})});
}

// and, or, xor: on masks or on words.
template <char kind>
Value logic(Selector& s, mlir::Operation* op, Operands x) {
  const llvm::StringRef name = kind == 'a' ? "and" : kind == 'o' ? "or" : "xor";
  if (is_truth(op)) return s.make(("m" + name).str(), {s.as_mask(x[0]), s.as_mask(x[1])});
  return s.make(("v" + name).str(), x);
}

// Results narrower than a word wrap.
template <char kind>
Value wrapping(Selector& s, mlir::Operation* op, Operands x) {
  const llvm::StringRef name = kind == '+'   ? "vadd.s32"
                               : kind == '-' ? "vsub.s32"
                               : kind == '*' ? "vmul.s32"
                                             : "vshl";
  return sign_extended(s, s.make(name, x), operand_width(op));
}

Value shift_logical(Selector& s, mlir::Operation* op, Operands x) {
  const unsigned width = operand_width(op);
  return sign_extended(s, s.make("vshr", {zero_extended(s, x[0], width), x[1]}), width);
}

Value extend_unsigned(Selector& s, mlir::Operation* op, Operands x) {
  const Value word = s.as_vector(x[0]);
  return operand_width(op) == 1 ? word : zero_extended(s, word, operand_width(op));
}

Value extend_signed(Selector& s, mlir::Operation* op, Operands x) {
  if (operand_width(op) != 1) return x[0];
  return s.choose(x[0], s.number(-1), s.number(0));
}

Value truncate(Selector& s, mlir::Operation* op, Operands x) {
  if (is_truth(op)) return s.as_mask(s.make("vand", {x[0], s.number(1)}));
  return sign_extended(s, x[0], op->getResult(0).getType().getIntOrFloatBitWidth());
}

// A real in fp32, rounded to the result's type.
Value rounded(Selector& s, mlir::Operation* op, Value real) {
  const mlir::Type type = op->getResult(0).getType();
  if (type.isBF16()) return expand_bf16(s, real);
  return type.isF16() ? expand_half(s, real) : real;
}

Value signed_to_real(Selector& s, mlir::Operation* op, Operands x) {
  const Value word = operand_width(op) == 1 ? extend_signed(s, op, x) : x[0];
  return rounded(s, op, s.make("vcvt.f32.s32", word));
}

Value unsigned_to_real(Selector& s, mlir::Operation* op, Operands x) {
  Value real;
  if (operand_width(op) == 1) {
    real = s.choose(x[0], s.real(1), s.real(0));
  } else if (operand_width(op) < 32) {
    real = s.make("vcvt.f32.s32", extend_unsigned(s, op, x));
  } else {
    real = expand_unsigned_to_real(s, x[0]);
  }
  return rounded(s, op, real);
}

Value real_to_signed(Selector& s, mlir::Operation* op, Operands x) {
  const Value word = s.make("vtrunc.s32.f32", x[0]);
  const unsigned width = op->getResult(0).getType().getIntOrFloatBitWidth();
  if (width == 32) return word;
  const std::int64_t limit = std::int64_t{1} << (width - 1);
  return s.make("vmin.s32", {s.make("vmax.s32", {word, s.number(-limit)}), s.number(limit - 1)});
}

Value real_to_unsigned(Selector& s, mlir::Operation* op, Operands x) {
  const unsigned width = op->getResult(0).getType().getIntOrFloatBitWidth();
  if (width == 32) return expand_real_to_unsigned(s, x[0]);
  const Value word = s.make("vtrunc.s32.f32", x[0]);
  const Value largest = s.number((std::int64_t{1} << width) - 1);
  const Value clamped = s.make("vmin.s32", {s.make("vmax.s32", {word, s.number(0)}), largest});
  return sign_extended(s, clamped, width);
}

bool is_sixteen(Value value) {
  llvm::APInt number;
  return mlir::matchPattern(value, mlir::m_ConstantInt(&number)) && number == 16;
}

// The bf16 in one half of a word, as extracted in arith; null for anything else.
Value half_of_word(Selector& s, mlir::Operation* op) {
  auto cut = op->getOperand(0).getDefiningOp<arith::TruncIOp>();
  if (!cut || !cut.getIn().getType().isInteger(32)) return {};
  if (auto shift = cut.getIn().getDefiningOp<arith::ShRUIOp>()) {
    if (is_sixteen(shift.getRhs())) {
      return s.make("vand", {s.get(shift.getLhs()), s.number(0xffff0000)});
    }
  }
  return s.make("vshl", {s.get(cut.getIn()), s.number(16)});
}

// The bf16 whose bits these are, as wide as a word; null for anything else. A value that is rounded
// to bf16 may be returned unrounded: packing rounds.
Value packed_half(Selector& s, Value bits) {
  auto wide = bits.getDefiningOp<arith::ExtUIOp>();
  auto cast = wide ? wide.getIn().getDefiningOp<arith::BitcastOp>() : arith::BitcastOp();
  if (!cast || !cast.getIn().getType().isBF16()) return {};
  auto rounded = cast.getIn().getDefiningOp<arith::TruncFOp>();
  const bool is_word = rounded && rounded.getIn().getType().isF32();
  return s.get(is_word ? rounded.getIn() : cast.getIn());
}

// Two bf16 in a word, as written in arith; null for anything else.
Value packed_halves(Selector& s, mlir::Operation* op) {
  for (const unsigned upper : {0U, 1U}) {
    auto shift = op->getOperand(upper).getDefiningOp<arith::ShLIOp>();
    if (!shift || !is_sixteen(shift.getRhs())) continue;
    const Value low = packed_half(s, op->getOperand(1 - upper));
    const Value high = low ? packed_half(s, shift.getLhs()) : Value();
    if (high) return s.make("vpack.bf16", {low, high});
  }
  return {};
}

// Reals of 16 bits are in registers as the fp32 of their values.
Value bitcast(Selector& s, mlir::Operation* op, Operands x) {
  const mlir::Type from = op->getOperand(0).getType();
  const mlir::Type to = op->getResult(0).getType();
  if (operand_width(op) == 32) return x[0];
  if (from.isBF16()) return s.make("vsar", {x[0], s.number(16)});
  if (to.isBF16()) {
    if (const Value half = half_of_word(s, op)) return half;
    return s.make("vshl", {x[0], s.number(16)});
  }
  if (from.isF16()) return sign_extended(s, expand_half_bits(s, x[0]), 16);
  return to.isF16() ? expand_bits_half(s, x[0]) : x[0];
}

std::optional<llvm::APInt> constant_word(Value value) {
  llvm::APInt number;
  if (!mlir::matchPattern(value, mlir::m_ConstantInt(&number))) return std::nullopt;
  return number;
}

// A word whose two parts change places: shifted both ways by numbers that together are its width.
// Null for anything else.
Value rotated(Selector& s, mlir::Operation* op) {
  if (!op->getResult(0).getType().isInteger(32)) return {};
  for (const unsigned upper : {0U, 1U}) {
    auto left = op->getOperand(upper).getDefiningOp<arith::ShLIOp>();
    auto right = op->getOperand(1 - upper).getDefiningOp<arith::ShRUIOp>();
    if (!left || !right || left.getLhs() != right.getLhs()) continue;
    const auto up = constant_word(left.getRhs());
    const auto down = constant_word(right.getRhs());
    if (!up || !down || !up->ult(32) || *up + *down != 32) continue;
    return s.make("vrotl", {s.get(left.getLhs()), s.get(left.getRhs())});
  }
  return {};
}

// An or, with the halves of a word, or the parts of a rotated one, as one instruction.
Value join(Selector& s, mlir::Operation* op, Operands x) {
  if (const Value packed = packed_halves(s, op)) return packed;
  const Value whole = rotated(s, op);
  return whole ? whole : logic<'o'>(s, op, x);
}

// The two parts of a rotated word have no bit in common.
Value sum(Selector& s, mlir::Operation* op, Operands x) {
  const Value whole = rotated(s, op);
  return whole ? whole : wrapping<'+'>(s, op, x);
}

Value narrow_real(Selector& s, mlir::Operation* op, Operands x) { return rounded(s, op, x[0]); }
Value same(Selector&, mlir::Operation*, Operands x) { return x[0]; }

// Quotients and remainders by index arithmetic have small operands and a constant divisor.
std::int64_t constant_divisor(mlir::Operation* op) {
  llvm::APInt value;
  if (!op->getOperand(1).getType().isIndex() ||
      !mlir::matchPattern(op->getOperand(1), mlir::m_ConstantInt(&value))) {
    return 0;
  }
  return value.getSExtValue();
}

Value unsigned_quotient(Selector& s, mlir::Operation* op, Operands x) {
  if (const std::int64_t divisor = constant_divisor(op)) {
    return expand_small_quotient(s, x[0], divisor);
  }
  const unsigned width = operand_width(op);
  const Value quotient =
      expand_unsigned_quotient(s, zero_extended(s, x[0], width), zero_extended(s, x[1], width));
  return sign_extended(s, quotient, width);
}

Value rest(Selector& s, Value x, Value y, Value quotient) {
  return s.make("vsub.s32", {x, s.make("vmul.s32", {quotient, y})});
}

Value unsigned_rest(Selector& s, mlir::Operation* op, Operands x) {
  const unsigned width = operand_width(op);
  const Value left = zero_extended(s, x[0], width);
  const Value right = zero_extended(s, x[1], width);
  return sign_extended(s, rest(s, left, right, unsigned_quotient(s, op, x)), width);
}

Value negated(Selector& s, Value x) { return s.make("vsub.s32", {s.number(0), x}); }
// For the smallest integer itself.
Value magnitude(Selector& s, mlir::Operation* op, Operands x) {
  return sign_extended(s, s.make("vmax.s32", {x[0], negated(s, x[0])}), operand_width(op));
}

// The magnitude of the smallest integer is itself, which is right as an unsigned word.
Value unsigned_magnitude(Selector& s, Value x) {
  return s.choose(s.make("vlt.s32", {x, s.number(0)}), negated(s, x), x);
}

Value signed_quotient(Selector& s, mlir::Operation* op, Operands x) {
  const Value quotient =
      expand_unsigned_quotient(s, unsigned_magnitude(s, x[0]), unsigned_magnitude(s, x[1]));
  const Value differ = s.make("vlt.s32", {s.make("vxor", {x[0], x[1]}), s.number(0)});
  return sign_extended(s, s.choose(differ, negated(s, quotient), quotient), operand_width(op));
}

Value signed_rest(Selector& s, mlir::Operation* op, Operands x) {
  return rest(s, x[0], x[1], signed_quotient(s, op, x));
}

template <Value (*expand)(Selector&, Value)>
Value unary(Selector& s, mlir::Operation*, Operands x) {
  return expand(s, x[0]);
}

template <Value (*expand)(Selector&, Value, Value)>
Value binary(Selector& s, mlir::Operation*, Operands x) {
  return expand(s, x[0], x[1]);
}

Value cross(Selector& s, llvm::StringRef mnemonic, Value x) {
  // The transcendental unit reads vectors only.
  const Value vector = mlir::isa<VectorType>(x.getType()) ? x : s.make("vmov", x);
  return s.make(mnemonic, vector);
}
Value rsqrt(Selector& s, Value x) { return cross(s, "rsqrt", x); }
Value tanh(Selector& s, Value x) { return cross(s, "tanh", x); }
Value exp2(Selector& s, Value x) { return cross(s, "exp2", x); }
Value negate_real(Selector& s, Value x) { return s.make("vxor", {x, s.number(0x80000000)}); }
Value sine(Selector& s, Value x) { return expand_sine(s, x, false); }
Value cosine(Selector& s, Value x) { return expand_sine(s, x, true); }
Value floor_real(Selector& s, Value x) { return s.make("vfloor.f32", x); }
Value round_even(Selector& s, Value x) { return s.make("vround.f32", x); }

// Whether many vectors are divided by the same one. The work on the divisor alone pays from a
// certain number of dividends on.
bool shares_divisor(const Selector& s, mlir::Operation* op, bool tame) {
  constexpr std::int64_t few = 3;
  const auto divisor = op->getOperand(1);
  const bool is_constant = mlir::matchPattern(divisor, mlir::m_Constant());
  return llvm::any_of(std::array{Selector::Along::row, Selector::Along::column}, [&](auto along) {
    if (is_constant && along == Selector::Along::column) return false;
    return s.is_shared(divisor, along) && !s.is_shared(op->getOperand(0), along) &&
           (tame || s.sharers(along) > few);
  });
}

Value divide(Selector& s, mlir::Operation* op, Operands x) {
  const bool tame = attribute::tame.is_on(op);
  const bool unscaled = attribute::unscaled.is_on(op);
  const Divisor known = tame ? Divisor::tame : unscaled ? Divisor::unscaled : Divisor::any;
  if (!shares_divisor(s, op, tame)) return expand_divide(s, x[0], x[1], known);
  return expand_divide_by_shared(s, x[0], x[1], known);
}
Value square_root(Selector& s, mlir::Operation* op, Operands x) {
  return expand_sqrt(s, x[0], attribute::positive.is_on(op));
}
Value exponential(Selector& s, mlir::Operation* op, Operands x) {
  return expand_exp(s, x[0], attribute::not_large.is_on(op));
}

Value population_count(Selector& s, mlir::Operation* op, Operands x) {
  return s.make("vpop", zero_extended(s, x[0], operand_width(op)));
}
Value leading_zeros(Selector& s, mlir::Operation* op, Operands x) {
  const unsigned width = operand_width(op);
  const Value count = s.make("vclz", zero_extended(s, x[0], width));
  return width == 32 ? count : s.make("vsub.s32", {count, s.number(32 - width)});
}

using Select = Value (*)(Selector&, mlir::Operation*, Operands);

// Operations that are one instruction on their operands.
const llvm::StringMap<llvm::StringRef>& instructions_of() {
  static const llvm::StringMap<llvm::StringRef> table{
      {"arith.addf", "vadd.f32"},     {"arith.subf", "vsub.f32"},     {"arith.mulf", "vmul.f32"},
      {"arith.maximumf", "vmax.f32"}, {"arith.minimumf", "vmin.f32"}, {"arith.maxsi", "vmax.s32"},
      {"arith.minsi", "vmin.s32"},    {"arith.maxui", "vmax.u32"},    {"arith.minui", "vmin.u32"},
      {"arith.shrsi", "vsar"},
  };
  return table;
}

const llvm::StringMap<Select>& arith_selections() {
  static const llvm::StringMap<Select> table{
      {"arith.addi", sum},
      {"arith.subi", wrapping<'-'>},
      {"arith.muli", wrapping<'*'>},
      {"arith.shli", wrapping<'<'>},
      {"arith.shrui", shift_logical},
      {"arith.andi", logic<'a'>},
      {"arith.ori", join},
      {"arith.xori", logic<'x'>},
      {"arith.cmpf", compare_real},
      {"arith.cmpi", compare_integer},
      {"arith.select", select_value},
      {"arith.divf", divide},
      {"arith.divui", unsigned_quotient},
      {"arith.divsi", signed_quotient},
      {"arith.remui", unsigned_rest},
      {"arith.remsi", signed_rest},
      {"arith.negf", unary<negate_real>},
      {"arith.extui", extend_unsigned},
      {"arith.extsi", extend_signed},
      {"arith.trunci", truncate},
      {"arith.extf", same},
      {"arith.truncf", narrow_real},
      {"arith.sitofp", signed_to_real},
      {"arith.uitofp", unsigned_to_real},
      {"arith.fptosi", real_to_signed},
      {"arith.fptoui", real_to_unsigned},
      {"arith.bitcast", bitcast},
      {"arith.index_cast", same},
      {"arith.index_castui", same},
      {"arith.remf", binary<expand_remainder>},
  };
  return table;
}

const llvm::StringMap<Select>& math_selections() {
  static const llvm::StringMap<Select> table{
      {"math.absf", unary<expand_absolute>},
      {"math.absi", magnitude},
      {"math.ceil", unary<expand_ceil>},
      {"math.floor", unary<floor_real>},
      {"math.round", unary<expand_round>},
      {"math.roundeven", unary<round_even>},
      {"math.copysign", binary<expand_copysign>},
      {"math.sqrt", square_root},
      {"math.rsqrt", unary<rsqrt>},
      {"math.exp", exponential},
      {"math.exp2", unary<exp2>},
      {"math.expm1", unary<expand_expm1>},
      {"math.log", unary<expand_log>},
      {"math.log1p", unary<expand_log1p>},
      {"math.tanh", unary<tanh>},
      {"math.sin", unary<sine>},
      {"math.cos", unary<cosine>},
      {"math.tan", unary<expand_tan>},
      {"math.atan2", binary<expand_atan2>},
      {"math.cbrt", unary<expand_cbrt>},
      {"math.powf", binary<expand_power>},
      {"math.ctpop", population_count},
      {"math.ctlz", leading_zeros},
  };
  return table;
}

// Null for an operation that has none.
Select selection_of(llvm::StringRef name) {
  const auto& table = name.starts_with("arith.") ? arith_selections() : math_selections();
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace

Value select_operation(Selector& s, mlir::Operation* op, Operands operands) {
  const llvm::StringRef name = op->getName().getStringRef();
  Value result;
  if (const auto direct = instructions_of().find(name); direct != instructions_of().end()) {
    result = s.make(direct->second, operands);
  } else if (const Select select = selection_of(name)) {
    result = select(s, op, operands);
  }
  // Arithmetic on 16 bits is fp32 arithmetic, rounded.
  const bool exact = name == "arith.select" || name == "arith.truncf" || name == "arith.negf" ||
                     name == "math.absf" || name == "arith.bitcast" || name == "arith.sitofp" ||
                     name == "arith.uitofp";
  return result && !exact ? rounded(s, op, result) : result;
}

}  // namespace tandem::compiler
