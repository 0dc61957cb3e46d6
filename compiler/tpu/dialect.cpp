#include "compiler/tpu/dialect.hpp"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/ExtensibleDialect.h"

MLIR_DEFINE_EXPLICIT_TYPE_ID(tandem::compiler::VectorType)
MLIR_DEFINE_EXPLICIT_TYPE_ID(tandem::compiler::MaskType)

namespace tandem::compiler {
namespace {

// The type of value that an operand takes or a destination gives.
mlir::Type register_type(mlir::MLIRContext* context, OperandKind kind) {
  switch (kind) {
    case OperandKind::vreg:
    case OperandKind::part: return VectorType::get(context);
    case OperandKind::mreg:
    case OperandKind::mask: return MaskType::get(context);
    case OperandKind::preg: return mlir::IntegerType::get(context, 1);
    default: return mlir::IndexType::get(context);
  }
}

bool is_scalar(mlir::Type type) {
  if (const auto integer = mlir::dyn_cast<mlir::IntegerType>(type)) {
    return integer.getWidth() == 8 || integer.getWidth() == 16 || integer.getWidth() == 32;
  }
  return type.isIndex() || type.isF32() || type.isBF16() || type.isF16();
}

bool fits(OperandKind kind, mlir::Type type) {
  if (kind == OperandKind::vsource) return mlir::isa<VectorType>(type) || is_scalar(type);
  const mlir::Type wanted = register_type(type.getContext(), kind);
  return wanted.isIndex() ? is_scalar(type) : type == wanted;
}

// Whether `name` belongs to this operand; an unknown attribute would be dropped silently.
bool speaks_of(const Operand& operand, llvm::StringRef name) {
  const llvm::StringRef own = operand.name;
  switch (operand.kind) {
    case OperandKind::descriptor: return name == "descriptor" || name == "at_start" || name == own;
    case OperandKind::smem:
    case OperandKind::vmem:
    case OperandKind::vmem_word:
    case OperandKind::accumulator:
    case OperandKind::weight_row: return name == "absolute" || name == own;
    case OperandKind::preg:
    case OperandKind::mreg:
    case OperandKind::mask: return name.consume_front("not_") && name == own;
    case OperandKind::sreg:
    case OperandKind::vreg:
    case OperandKind::target: return false;
    case OperandKind::vsource:
    case OperandKind::part:
    case OperandKind::scalar_imm:
    case OperandKind::constant:
    case OperandKind::csr:
    case OperandKind::flag:
    case OperandKind::stride:
    case OperandKind::rows:
    case OperandKind::option: return name == own;
  }
  return false;
}

mlir::LogicalResult verify(mlir::Operation* op) {
  std::string complaint;
  if (mlir::failed(given_operands(op, complaint))) return op->emitOpError(complaint);
  for (const mlir::NamedAttribute attribute : op->getAttrs()) {
    const llvm::StringRef name = attribute.getName();
    const auto speaks = [&](const Operand* operand) {
      return !is_destination(*operand) && speaks_of(*operand, name);
    };
    if (!llvm::any_of(instruction_of(op)->operands, speaks)) {
      return op->emitOpError("has an attribute that the instruction does not know: ") << name;
    }
  }
  return mlir::success();
}

struct Tpu : mlir::ExtensibleDialect {
  explicit Tpu(mlir::MLIRContext* context)
      : ExtensibleDialect("tpu", context, mlir::TypeID::get<Tpu>()) {
    addTypes<VectorType, MaskType>();
    for (const Instruction& row : instructions) {
      registerDynamicOp(mlir::DynamicOpDefinition::get(
          row.mnemonic, this, verify, [](mlir::Operation*) { return mlir::success(); }));
    }
  }

  mlir::Type parseType(mlir::DialectAsmParser& parser) const override {
    llvm::StringRef keyword;
    if (mlir::failed(parser.parseKeyword(&keyword))) return {};
    if (keyword == "v") return VectorType::get(getContext());
    if (keyword == "m") return MaskType::get(getContext());
    parser.emitError(parser.getNameLoc(), "no such type of tpu: ") << keyword;
    return {};
  }
  void printType(mlir::Type type, mlir::DialectAsmPrinter& printer) const override {
    printer << (mlir::isa<VectorType>(type) ? "v" : "m");
  }
};

// Takes the operation's register operands one after the other.
class Taker {
 public:
  Taker(mlir::Operation* op, std::string& complaint) : op_(op), complaint_(complaint) {}

  bool take(GivenOperand& given) {
    const OperandKind kind = given.operand->kind;
    if (next_ == op_->getNumOperands()) return fail(given, "is missing");
    given.value = op_->getOperand(next_++);
    return fits(kind, given.value.getType()) || fail(given, "has the wrong type");
  }
  [[nodiscard]] bool is_done() const { return next_ == op_->getNumOperands(); }
  bool fail(const GivenOperand& given, llvm::StringRef what) {
    complaint_ = "operand " + std::string(given.operand->name) + " " + what.str();
    return false;
  }

 private:
  mlir::Operation* op_;
  std::string& complaint_;
  unsigned next_ = 0;
};

bool resolve(mlir::Operation* op, Taker& taker, GivenOperand& given) {
  const OperandKind kind = given.operand->kind;
  const llvm::StringRef name = given.operand->name;
  given.attribute = op->getAttr(name);
  given.negated = op->hasAttr(("not_" + name).str());
  switch (kind) {
    case OperandKind::sreg:
    case OperandKind::preg:
    case OperandKind::vreg:
    case OperandKind::mreg:
    case OperandKind::vsource:
    case OperandKind::part: return taker.take(given);
    case OperandKind::scalar_imm: return given.attribute ? true : taker.take(given);
    case OperandKind::target: return taker.fail(given, "belongs to scf at this level");
    case OperandKind::constant:
    case OperandKind::csr:
    case OperandKind::flag: return given.attribute ? true : taker.fail(given, "is missing");
    case OperandKind::descriptor:
      given.attribute = op->getAttr("descriptor");
      return given.attribute ? true : taker.fail(given, "is missing");
    case OperandKind::smem:
    case OperandKind::vmem:
    case OperandKind::vmem_word:
    case OperandKind::accumulator:
    case OperandKind::weight_row: return op->hasAttr("absolute") || taker.take(given);
    case OperandKind::stride:
    case OperandKind::rows:
    case OperandKind::option: return true;
    case OperandKind::mask: return taker.is_done() || taker.take(given);
  }
  return false;
}

const Operand* destination(const Instruction& row) {
  for (const Operand* operand : row.operands) {
    if (is_destination(*operand)) return operand;
  }
  return nullptr;
}

}  // namespace

mlir::NamedAttribute number_attribute(mlir::OpBuilder& builder, llvm::StringRef name,
                                      std::int64_t value) {
  return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
}

mlir::NamedAttribute text_attribute(mlir::OpBuilder& builder, llvm::StringRef name,
                                    llvm::StringRef value) {
  return builder.getNamedAttr(name, builder.getStringAttr(value));
}

mlir::NamedAttribute flag_attribute(mlir::OpBuilder& builder, llvm::StringRef name) {
  return builder.getNamedAttr(name, builder.getUnitAttr());
}

const Instruction* instruction_of(mlir::Operation* op) {
  llvm::StringRef name = op->getName().getStringRef();
  return name.consume_front("tpu.") ? find_instruction(std::string_view(name)) : nullptr;
}

std::optional<DescriptorWords> descriptor_words_of(mlir::Operation* copy) {
  const auto given = copy->getAttrOfType<mlir::DenseI32ArrayAttr>("descriptor");
  if (!given || given.size() != descriptor_words) return std::nullopt;
  DescriptorWords words{};
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<std::uint32_t>(given[i]);
  return words;
}

bool is_named(mlir::Operation* op, std::string_view mnemonic) {
  const Instruction* row = instruction_of(op);
  return row != nullptr && row->mnemonic == mnemonic;
}

mlir::FailureOr<llvm::SmallVector<GivenOperand>> given_operands(mlir::Operation* op,
                                                                std::string& complaint) {
  const Instruction* row = instruction_of(op);
  if (row == nullptr) {
    complaint = "is no instruction";
    return mlir::failure();
  }
  Taker taker(op, complaint);
  llvm::SmallVector<GivenOperand> result;
  for (const Operand* operand : row->operands) {
    if (is_destination(*operand)) continue;
    GivenOperand given{operand, {}, {}, false};
    if (!resolve(op, taker, given)) return mlir::failure();
    result.push_back(given);
  }
  if (!taker.is_done()) complaint = "has too many operands";
  if (op->getNumResults() != (destination(*row) != nullptr ? 1U : 0U)) {
    complaint = "has another number of results than the instruction";
  }
  if (!complaint.empty()) return mlir::failure();
  return result;
}

mlir::Value machine(mlir::OpBuilder& builder, mlir::Location loc, llvm::StringRef mnemonic,
                    mlir::ValueRange operands, llvm::ArrayRef<mlir::NamedAttribute> attributes) {
  const Instruction* row = find_instruction(std::string_view(mnemonic));
  llvm::SmallVector<mlir::Type> results;
  if (const Operand* written = destination(*row)) {
    results.push_back(register_type(builder.getContext(), written->kind));
  }
  mlir::OperationState state(loc, ("tpu." + mnemonic).str(), operands, results, attributes);
  mlir::Operation* op = builder.create(state);
  return results.empty() ? mlir::Value() : op->getResult(0);
}

void load_tpu_dialect(mlir::MLIRContext& context) {
  context.getOrLoadDialect("tpu", mlir::TypeID::get<Tpu>(),
                           [&context] { return std::make_unique<Tpu>(&context); });
}

}  // namespace tandem::compiler
