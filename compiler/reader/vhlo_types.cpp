// The type codes of VHLO's encoding (StableHLO's documented wire format).
#include "compiler/reader/vhlo_attributes.hpp"
#include "compiler/stablehlo/dialect.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tandem::compiler {
namespace {

using mlir::Type;
using Reader = mlir::DialectBytecodeReader;

// A small artifact must not be able to name a tensor whose size overflows.
constexpr std::int64_t element_limit = std::int64_t{1} << 40;

bool is_shape(llvm::ArrayRef<std::int64_t> shape) {
  return llvm::all_of(
      shape, [](std::int64_t size) { return size >= 0 || mlir::ShapedType::isDynamic(size); });
}

bool is_too_large(llvm::ArrayRef<std::int64_t> shape) {
  std::int64_t elements = 1;
  for (const std::int64_t size : shape) {
    if (mlir::ShapedType::isDynamic(size)) continue;
    if (size > element_limit || (size != 0 && elements > element_limit / size)) return true;
    elements *= size;
  }
  return false;
}

// Types are read before their operations: the operation reports the error, with its location.
Type too_large(llvm::ArrayRef<std::int64_t> shape, Type element) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const std::int64_t size : shape) {
    if (mlir::ShapedType::isDynamic(size)) {
      stream << "?x";
    } else {
      stream << size << "x";
    }
  }
  stream << element;
  mlir::MLIRContext* const context = element.getContext();
  return mlir::OpaqueType::get(mlir::StringAttr::get(context, "vhlo"), text);
}

Type read_tensor(Reader& reader, bool encoded) {
  mlir::Attribute encoding;
  llvm::SmallVector<std::int64_t> shape;
  Type element;
  if (encoded && mlir::failed(reader.readAttribute(encoding))) return {};
  if (mlir::failed(reader.readSignedVarInts(shape)) || mlir::failed(reader.readType(element))) {
    return {};
  }
  if (!element || !is_shape(shape) || !mlir::RankedTensorType::isValidElementType(element)) {
    reader.emitError() << "a tensor type of impossible shape or element";
    return {};
  }
  if (is_too_large(shape)) return too_large(shape, element);
  return mlir::RankedTensorType::get(shape, element);
}

Type read_function(Reader& reader, mlir::MLIRContext* context) {
  llvm::SmallVector<Type> inputs;
  llvm::SmallVector<Type> results;
  if (mlir::failed(reader.readTypes(inputs)) || mlir::failed(reader.readTypes(results))) return {};
  return mlir::FunctionType::get(context, inputs, results);
}

Type read_complex(Reader& reader) {
  mlir::FloatType element;
  if (mlir::failed(reader.readType(element))) return {};
  return mlir::ComplexType::get(element);
}

Type read_tuple(Reader& reader, mlir::MLIRContext* context) {
  llvm::SmallVector<Type> elements;
  if (mlir::failed(reader.readTypes(elements))) return {};
  return mlir::TupleType::get(context, elements);
}

// Signed integers become signless ones, as in StableHLO.
Type integer(mlir::MLIRContext* context, unsigned bits, bool is_unsigned = false) {
  const auto sign = is_unsigned ? mlir::IntegerType::Unsigned : mlir::IntegerType::Signless;
  return mlir::IntegerType::get(context, bits, sign);
}

Type small_float(mlir::MLIRContext* context, std::uint64_t code) {
  switch (code) {
    case 2: return mlir::BFloat16Type::get(context);
    case 3: return mlir::Float16Type::get(context);
    case 4: return mlir::Float32Type::get(context);
    case 5: return mlir::Float64Type::get(context);
    case 6: return mlir::Float8E4M3FNType::get(context);
    case 7: return mlir::Float8E5M2Type::get(context);
    case 27: return mlir::Float8E4M3FNUZType::get(context);
    case 28: return mlir::Float8E5M2FNUZType::get(context);
    case 29: return mlir::Float8E4M3B11FNUZType::get(context);
    case 34: return mlir::FloatTF32Type::get(context);
    case 35: return mlir::Float8E4M3Type::get(context);
    case 36: return mlir::Float8E3M4Type::get(context);
    case 37: return mlir::Float4E2M1FNType::get(context);
    case 40: return mlir::Float8E8M0FNUType::get(context);
    default: return {};
  }
}

}  // namespace

std::optional<llvm::StringRef> too_large_tensor(Type type) {
  const auto opaque = mlir::dyn_cast<mlir::OpaqueType>(type);
  if (!opaque || opaque.getDialectNamespace() != "vhlo") return std::nullopt;
  return opaque.getTypeData();
}

mlir::Type read_vhlo_type(Reader& reader, mlir::MLIRContext* context) {
  std::uint64_t code = 0;
  if (mlir::failed(reader.readVarInt(code))) return {};
  if (const Type type = small_float(context, code)) return type;
  if (code == 0) return integer(context, 1);
  if (code == 1) return read_complex(reader);
  if (code == 8) return read_function(reader, context);
  if (code == 9) return mlir::IndexType::get(context);
  if (code >= 10 && code <= 14) return integer(context, 4U << (code - 10));
  if (code >= 15 && code <= 19) return integer(context, 4U << (code - 15), true);
  if (code == 20 || code == 21) return read_tensor(reader, code == 21);
  if (code == 22) return token_type(context);
  if (code == 23) return read_tuple(reader, context);
  if (code == 31 || code == 32) return integer(context, 2, code == 32);
  if (code == 33) return mlir::NoneType::get(context);
  reader.emitError() << "VHLO type code " << code << " is not supported";
  return {};
}

}  // namespace tandem::compiler
