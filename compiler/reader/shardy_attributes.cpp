// Shardy's attributes, which come along with random keys even in programs for one device. Their
// contents are dropped; they are read only to skip them.
#include "compiler/reader/vhlo_attributes.hpp"
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace tandem::compiler {
namespace {

using mlir::failed;
using mlir::LogicalResult;
using Reader = mlir::DialectBytecodeReader;

LogicalResult skip_attributes(Reader& reader, int lists) {
  for (; lists > 0; --lists) {
    llvm::SmallVector<mlir::Attribute> list;
    if (failed(reader.readAttributes(list))) return mlir::failure();
  }
  return mlir::success();
}

LogicalResult skip_integers(Reader& reader, int count) {
  std::int64_t value = 0;
  for (; count > 0; --count) {
    if (failed(reader.readSignedVarInt(value))) return mlir::failure();
  }
  return mlir::success();
}

LogicalResult skip_name(Reader& reader) {
  llvm::StringRef name;
  return reader.readString(name);
}

LogicalResult skip_mesh(Reader& reader) {
  llvm::SmallVector<std::int64_t> ids;
  return mlir::success(!failed(skip_attributes(reader, 1)) &&
                       !failed(reader.readSignedVarInts(ids)));
}

LogicalResult skip_axis(Reader& reader) {
  mlir::Attribute part;
  return mlir::success(!failed(skip_name(reader)) && !failed(reader.readOptionalAttribute(part)));
}

LogicalResult skip_dimension(Reader& reader) {
  bool flag = false;
  std::uint64_t priority = 0;
  return mlir::success(!failed(skip_attributes(reader, 1)) && !failed(reader.readBool(flag)) &&
                       !failed(reader.readVarIntWithFlag(priority, flag)));
}

LogicalResult skip_tensor(Reader& reader, int lists) {
  mlir::Attribute mesh;
  return mlir::success(!failed(reader.readAttribute(mesh)) &&
                       !failed(skip_attributes(reader, lists)));
}

LogicalResult skip(Reader& reader, std::uint64_t code) {
  switch (code) {
    case 0:
    case 7:
    case 11:
    case 16: return skip_attributes(reader, 1);
    case 1: return mlir::success(!failed(skip_name(reader)) && !failed(skip_integers(reader, 1)));
    case 2: return skip_mesh(reader);
    case 3: return skip_integers(reader, 2);
    case 4: return skip_axis(reader);
    case 5: return skip_dimension(reader);
    case 6: return skip_tensor(reader, 2);
    case 15: return skip_tensor(reader, 3);
    default: return reader.emitError() << "Shardy attribute code " << code << " is not supported";
  }
}

}  // namespace

mlir::Attribute read_shardy_attribute(Reader& reader, mlir::MLIRContext* context) {
  std::uint64_t code = 0;
  if (failed(reader.readVarInt(code)) || failed(skip(reader, code))) return {};
  return mlir::UnitAttr::get(context);
}

}  // namespace tandem::compiler
