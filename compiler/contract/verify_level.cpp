#include "compiler/contract/verify_level.hpp"

#include <algorithm>
#include <array>

#include "compiler/contract/attributes.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace tandem::compiler {
namespace {

using mlir::func::FuncOp;

// The operations that an attribute may be on.
enum class On : std::uint8_t {
  any,
  module,
  function,
  declaration,
  argument,
  linalg,
  allocation,
  copy,
  loop,
  arithmetic
};

struct Row {
  llvm::StringLiteral name;
  bool (*is_kind)(mlir::Attribute);
  llvm::StringLiteral kind;
  On on;
  Level from;
  Level to;
};

template <typename Kind>
bool is_kind(mlir::Attribute value) {
  return mlir::isa<Kind>(value);
}

constexpr Row rows[] = {
#define ATTRIBUTE(NAME, KIND, ON, FROM, TO, SET_BY, READ_BY, MEANING) \
  {"tandem." #NAME, is_kind<attribute::KIND>, #KIND, On::ON, Level::FROM, Level::TO},
#include "compiler/contract/attributes.def"
#undef ATTRIBUTE
};

const Row* find_row(llvm::StringRef name) {
  const auto* found = std::find_if(std::begin(rows), std::end(rows),
                                   [&](const Row& row) { return row.name == name; });
  return found == std::end(rows) ? nullptr : found;
}

bool is_on(On on, mlir::Operation* op) {
  auto function = mlir::dyn_cast<FuncOp>(op);
  const llvm::StringRef dialect = op->getName().getDialectNamespace();
  switch (on) {
    case On::any: return true;
    case On::module: return mlir::isa<mlir::ModuleOp>(op);
    case On::function: return function && !function.isExternal();
    case On::declaration: return function && function.isExternal();
    case On::argument: return false;
    case On::linalg: return mlir::isa<mlir::linalg::LinalgOp>(op);
    case On::allocation: return mlir::isa<mlir::memref::AllocOp>(op);
    case On::copy: return mlir::isa<mlir::memref::CopyOp>(op);
    case On::loop: return mlir::isa<mlir::scf::ForOp>(op);
    case On::arithmetic: return dialect == "arith" || dialect == "math";
  }
  return false;
}

// The dialects whose operations a level has.
bool may_have(Level level, llvm::StringRef dialect) {
  const auto is_one_of = [&](llvm::ArrayRef<llvm::StringLiteral> names) {
    return llvm::is_contained(names, dialect);
  };
  if (is_one_of({"builtin", "func", "arith"})) return true;
  switch (level) {
    case Level::stablehlo: return dialect == "stablehlo";
    case Level::tensor:
      return is_one_of({"linalg", "tensor", "math", "scf", "memref", "bufferization"});
    case Level::tiled:
    case Level::buffers: return is_one_of({"linalg", "math", "scf", "memref"});
    case Level::tpu: return is_one_of({"tpu", "scf"});
    case Level::assembly:
    case Level::vliw:
    case Level::elf: return false;  // not MLIR
  }
  return false;
}

bool has_tensors(mlir::Operation* op) {
  const auto is_tensor = [](mlir::Type type) { return mlir::isa<mlir::TensorType>(type); };
  return llvm::any_of(op->getResultTypes(), is_tensor) ||
         llvm::any_of(op->getOperandTypes(), is_tensor);
}

// By its contents: single passes leave no `tandem.level`.
Level looks_like(mlir::ModuleOp module) {
  Level level = Level::tiled;
  module.walk([&](mlir::Operation* op) {
    const llvm::StringRef dialect = op->getName().getDialectNamespace();
    if (dialect == "stablehlo") level = Level::stablehlo;
    if (level == Level::stablehlo) return;
    if (dialect == "tpu") level = Level::tpu;
    if (level == Level::tpu) return;
    if (has_tensors(op)) level = Level::tensor;
    if (level == Level::tiled && attribute::vmem_rows.is_on(op)) level = Level::buffers;
  });
  return level;
}

class Verifier {
 public:
  // `is_level`: exactly at it, not only on the way to it. `whose`: begins each message.
  Verifier(Level level, bool is_level, llvm::StringRef whose)
      : level_(level), is_level_(is_level), whose_(whose) {}

  mlir::LogicalResult run(mlir::ModuleOp module) {
    const auto walked = module.walk([&](mlir::Operation* op) {
      return mlir::failed(operation(op)) ? mlir::WalkResult::interrupt()
                                         : mlir::WalkResult::advance();
    });
    return mlir::failure(walked.wasInterrupted());
  }

 private:
  mlir::LogicalResult operation(mlir::Operation* op) {
    if (is_level_ && mlir::failed(content(op))) return mlir::failure();
    for (const mlir::NamedAttribute attribute : op->getDiscardableAttrs()) {
      if (mlir::failed(check(op, attribute, false))) return mlir::failure();
    }
    auto function = mlir::dyn_cast<FuncOp>(op);
    if (!function) return mlir::success();
    for (unsigned i = 0; i < function.getNumResults(); ++i) {
      for (const mlir::NamedAttribute attribute :
           mlir::function_interface_impl::getResultAttrs(function, i)) {
        if (mlir::failed(check(op, attribute, true))) return mlir::failure();
      }
    }
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      for (const mlir::NamedAttribute attribute :
           mlir::function_interface_impl::getArgAttrs(function, i)) {
        if (mlir::failed(check(op, attribute, true))) return mlir::failure();
      }
    }
    return mlir::success();
  }

  mlir::LogicalResult content(mlir::Operation* op) {
    const auto wrong = [&](const llvm::Twine& what) {
      return op->emitError(whose_) << "at the level " << level_name(level_) << " there is " << what;
    };
    const llvm::StringRef dialect = op->getName().getDialectNamespace();
    const bool is_data = mlir::isa<mlir::memref::GlobalOp>(op);  // up to the last level
    if (!is_data && !may_have(level_, dialect)) return wrong("no operation of " + dialect);
    if (level_ > Level::tensor && has_tensors(op)) return wrong("no tensor");
    const bool lacks_address =
        mlir::isa<mlir::memref::AllocOp>(op) && !attribute::address.is_on(op);
    if (level_ == Level::buffers && lacks_address) return wrong("no buffer without an address");
    return mlir::success();
  }

  mlir::LogicalResult check(mlir::Operation* op, mlir::NamedAttribute attribute,
                            bool is_on_argument) {
    const llvm::StringRef name = attribute.getName();
    if (!name.starts_with("tandem.")) return mlir::success();
    const auto wrong = [&](const llvm::Twine& what) {
      return op->emitError(whose_) << "the attribute " << name << " " << what;
    };
    const Row* row = find_row(name);
    if (row == nullptr) return wrong("is none of the compiler's (contract/attributes.def)");
    if (!row->is_kind(attribute.getValue())) return wrong("is no " + row->kind);
    const bool is_at_home =
        is_on_argument ? row->on == On::argument : tandem::compiler::is_on(row->on, op);
    if (!is_at_home) return wrong("does not belong here");
    // A single pass may leave what the clean-up after it takes away.
    const bool is_late =
        is_level_ ? row->to < level_ : static_cast<int>(row->to) + 1 < static_cast<int>(level_);
    if (level_ < row->from || is_late) {
      return wrong("does not belong to the level " + level_name(level_));
    }
    return mlir::success();
  }

  Level level_;
  bool is_level_;
  llvm::StringRef whose_;
};

class VerifyLevel : public mlir::PassWrapper<VerifyLevel, mlir::OperationPass<mlir::ModuleOp>> {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifyLevel)
  explicit VerifyLevel(Level level) : level_(level) {}
  void runOnOperation() override {
    // An error here was made by a pass.
    if (mlir::failed(Verifier(level_, true, "internal: ").run(getOperation()))) signalPassFailure();
    markAllAnalysesPreserved();
  }

 private:
  Level level_;
};

}  // namespace

mlir::LogicalResult verify_level(mlir::ModuleOp module, std::optional<Level> level) {
  return Verifier(level.value_or(looks_like(module)), level.has_value(), "").run(module);
}

std::unique_ptr<mlir::Pass> make_verify_level_pass(Level level) {
  return std::make_unique<VerifyLevel>(level);
}

}  // namespace tandem::compiler
