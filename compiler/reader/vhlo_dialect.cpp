// Debian has no StableHLO, and reading an artifact needs little of it: for each operation the names
// of its attributes in the order of the bytecode, and the codes of types and attributes.
//
// An operation name is registered with an unregistered model whose interface map holds one
// BytecodeOpInterface. So properties can be read, and nothing else about the operation is declared.
#include "compiler/reader/vhlo_dialect.hpp"

#include "compiler/reader/vhlo_attributes.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"

namespace tandem::compiler {
namespace {

struct Row {
  llvm::StringLiteral name;
  llvm::StringLiteral attributes;
};

constexpr Row rows[] = {
#define VHLO(name, attributes) {name, attributes},
#include "compiler/reader/vhlo_operations.def"
#undef VHLO
};

// Operation -> names of its attributes.
const llvm::StringMap<llvm::SmallVector<llvm::StringRef>>& attribute_names() {
  static const auto table = [] {
    llvm::StringMap<llvm::SmallVector<llvm::StringRef>> all;
    for (const Row& row : rows) llvm::SplitString(row.attributes, all[row.name]);
    return all;
  }();
  return table;
}

struct Properties : mlir::BytecodeOpInterface::Concept {
  using Interface = mlir::BytecodeOpInterface;
  Properties()
      : Concept{read, [](const Concept*, mlir::Operation*, mlir::DialectBytecodeWriter&) {}} {}

  static mlir::LogicalResult read(mlir::DialectBytecodeReader& reader,
                                  mlir::OperationState& state) {
    for (const llvm::StringRef name : attribute_names().lookup(state.name.getStringRef())) {
      mlir::Attribute value;
      if (mlir::failed(reader.readAttribute(value))) return mlir::failure();
      state.addAttribute(name, value);
    }
    return mlir::success();
  }
};

struct VhloReader : mlir::BytecodeDialectInterface {
  explicit VhloReader(mlir::Dialect* dialect) : BytecodeDialectInterface(dialect) {}
  mlir::Type readType(mlir::DialectBytecodeReader& reader) const override {
    return read_vhlo_type(reader, getContext());
  }
  mlir::Attribute readAttribute(mlir::DialectBytecodeReader& reader) const override {
    return read_vhlo_attribute(reader, getContext());
  }
};

struct ShardyReader : mlir::BytecodeDialectInterface {
  explicit ShardyReader(mlir::Dialect* dialect) : BytecodeDialectInterface(dialect) {}
  struct Version : mlir::DialectVersion {};

  std::unique_ptr<mlir::DialectVersion> readVersion(
      mlir::DialectBytecodeReader& reader) const override {
    std::uint64_t part = 0;
    for (int i = 0; i < 3; ++i) {
      if (mlir::failed(reader.readVarInt(part))) return nullptr;
    }
    return std::make_unique<Version>();
  }
  mlir::Attribute readAttribute(mlir::DialectBytecodeReader& reader) const override {
    return read_shardy_attribute(reader, getContext());
  }
};

// The model is protected in OperationName.
struct Unregistered : mlir::OperationName {
  struct Model : UnregisteredOpModel {
    using UnregisteredOpModel::UnregisteredOpModel;
  };
};

struct Foreign : mlir::Dialect {
  Foreign(llvm::StringRef name, mlir::MLIRContext* context, mlir::TypeID id)
      : Dialect(name, context, id) {
    allowUnknownOperations();
    allowUnknownTypes();
    for (const Row& row : rows) {
      if (row.name.split('.').first != name) continue;
      static mlir::TypeIDAllocator ids;
      mlir::detail::InterfaceMap interfaces;
      interfaces.insertModels<Properties>();
      mlir::RegisteredOperationName::insert(
          std::make_unique<Unregistered::Model>(row.name, this, ids.allocate(),
                                                std::move(interfaces)),
          {});
    }
  }
};

struct Vhlo : Foreign {
  explicit Vhlo(mlir::MLIRContext* context) : Foreign("vhlo", context, mlir::TypeID::get<Vhlo>()) {
    addInterfaces<VhloReader>();
  }
};

struct Shardy : Foreign {
  explicit Shardy(mlir::MLIRContext* context)
      : Foreign("sdy", context, mlir::TypeID::get<Shardy>()) {
    addInterfaces<ShardyReader>();
  }
};

template <typename Kind>
void load(mlir::MLIRContext& context, llvm::StringRef name) {
  context.getOrLoadDialect(name, mlir::TypeID::get<Kind>(),
                           [&context] { return std::make_unique<Kind>(&context); });
}

}  // namespace

void load_artifact_dialects(mlir::MLIRContext& context) {
  load<Vhlo>(context, "vhlo");
  load<Shardy>(context, "sdy");
}

}  // namespace tandem::compiler
