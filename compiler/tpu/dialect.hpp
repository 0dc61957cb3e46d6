// The level `tpu`: one operation for each instruction of the machine, made from its table, so a
// new instruction needs no line here. Scalar arithmetic and control stay in arith and scf.
//
//   %v = "tpu.vld"(%row) {address = 8, rows = 3} : (index) -> !tpu.v
//   %w = "tpu.vadd.f32"(%v, %v) : (!tpu.v, !tpu.v) -> !tpu.v
//
// Registers are operands, in the order of the assembly text; everything else is an attribute under
// the operand's name in the table. `absolute` marks an address without a scalar register. A
// constant in place of a scalar register is an integer attribute. `not_<name>` negates a mask or
// predicate; a string under the name of a vector source is its form (lo, hi, f32, b0 ..).
// "tpu.copy" has the sixteen words of its descriptor as the attribute `descriptor`, and as
// `at_start` the number of the tensor that it reads where the start begins it (start_copies.hpp).
#pragma once

#include <optional>

#include "isa/descriptor.hpp"
#include "isa/instructions.hpp"
#include "mlir/IR/Builders.h"

namespace tandem::compiler {

void load_tpu_dialect(mlir::MLIRContext& context);

// A vector register of 8 x L words, and a mask of as many bits.
class VectorType : public mlir::Type::TypeBase<VectorType, mlir::Type, mlir::TypeStorage> {
 public:
  using Base::Base;
  static constexpr llvm::StringLiteral name = "tpu.v";
};
class MaskType : public mlir::Type::TypeBase<MaskType, mlir::Type, mlir::TypeStorage> {
 public:
  using Base::Base;
  static constexpr llvm::StringLiteral name = "tpu.m";
};

// Creates the operation of an instruction; its result, or null where it writes no register.
mlir::Value machine(mlir::OpBuilder& builder, mlir::Location loc, llvm::StringRef mnemonic,
                    mlir::ValueRange operands = {},
                    llvm::ArrayRef<mlir::NamedAttribute> attributes = {});

// Attributes as the operations of instructions carry them: a constant, a word, a flag that is set.
mlir::NamedAttribute number_attribute(mlir::OpBuilder& builder, llvm::StringRef name,
                                      std::int64_t value);
mlir::NamedAttribute text_attribute(mlir::OpBuilder& builder, llvm::StringRef name,
                                    llvm::StringRef value);
mlir::NamedAttribute flag_attribute(mlir::OpBuilder& builder, llvm::StringRef name);

// The table's row of a tpu operation, or null for operations of other dialects.
const Instruction* instruction_of(mlir::Operation* op);
// The words of a copy's descriptor, where they are sixteen.
std::optional<DescriptorWords> descriptor_words_of(mlir::Operation* copy);
// Whether the operation is that instruction.
bool is_named(mlir::Operation* op, std::string_view mnemonic);

// How one operand of an instruction is given in an operation.
struct GivenOperand {
  const Operand* operand = nullptr;
  mlir::Value value;          // the register, where there is one
  mlir::Attribute attribute;  // the constant, name, offset or form, where there is one
  bool negated = false;
};
// The operands except the destination, in the order of the text; failure when they do not fit the
// table. `complaint` is the reason.
mlir::FailureOr<llvm::SmallVector<GivenOperand>> given_operands(mlir::Operation* op,
                                                                std::string& complaint);

}  // namespace tandem::compiler

MLIR_DECLARE_EXPLICIT_TYPE_ID(tandem::compiler::VectorType)
MLIR_DECLARE_EXPLICIT_TYPE_ID(tandem::compiler::MaskType)
