// The attribute codes of VHLO's encoding. Enumerations become strings, integer arrays stay arrays.
#include "compiler/reader/vhlo_attributes.hpp"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tandem::compiler {
namespace {

using mlir::Attribute;
using mlir::failed;
using mlir::MLIRContext;
using Reader = mlir::DialectBytecodeReader;

enum Code : std::uint8_t {
  array = 1,
  boolean,
  direction,
  compare_type,
  api_version,
  dictionary,
  fft,
  floating,
  integer,
  alias,
  precision,
  rng_algorithm,
  rng_distribution,
  string,
  tensor,
  transpose,
  type,
  bounds,
  accuracy_mode,
  accuracy,
};

llvm::ArrayRef<const char*> enumerators(std::uint64_t code) {
  static constexpr const char* directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  static constexpr const char* types[] = {"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"};
  static constexpr const char* precisions[] = {"DEFAULT", "HIGH", "HIGHEST"};
  static constexpr const char* algorithms[] = {"DEFAULT", "THREE_FRY", "PHILOX"};
  static constexpr const char* distributions[] = {"?", "UNIFORM", "NORMAL"};
  static constexpr const char* transposes[] = {"?", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
  static constexpr const char* ffts[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
  static constexpr const char* versions[] = {"UNSPECIFIED", "ORIGINAL", "STATUS_RETURNING",
                                             "STATUS_RETURNING_UNIFIED", "TYPED_FFI"};
  static constexpr const char* modes[] = {"DEFAULT", "HIGHEST", "TOLERANCE"};
  switch (code) {
    case direction: return directions;
    case compare_type: return types;
    case precision: return precisions;
    case rng_algorithm: return algorithms;
    case rng_distribution: return distributions;
    case transpose: return transposes;
    case fft: return ffts;
    case api_version: return versions;
    case accuracy_mode: return modes;
    default: return {};
  }
}

Attribute read_enumeration(Reader& reader, MLIRContext* context, std::uint64_t code) {
  std::uint64_t value = 0;
  const llvm::ArrayRef<const char*> names = enumerators(code);
  if (failed(reader.readVarInt(value))) return {};
  if (value >= names.size()) {
    reader.emitError() << "enumeration " << code << " has no value " << value;
    return {};
  }
  return mlir::StringAttr::get(context, names[value]);
}

Attribute read_array(Reader& reader, MLIRContext* context) {
  llvm::SmallVector<Attribute> all;
  if (failed(reader.readAttributes(all))) return {};
  return mlir::ArrayAttr::get(context, all);
}

Attribute read_dictionary(Reader& reader, MLIRContext* context) {
  mlir::NamedAttrList all;
  std::uint64_t count = 0;
  if (failed(reader.readVarInt(count))) return {};
  for (; count > 0; --count) {
    mlir::StringAttr name;
    Attribute value;
    if (failed(reader.readAttribute(name)) || failed(reader.readAttribute(value))) return {};
    if (name.empty()) {
      reader.emitError() << "a dictionary entry without a name";
      return {};
    }
    all.set(name, value);
  }
  return all.getDictionary(context);
}

Attribute read_float(Reader& reader) {
  mlir::FloatType type;
  if (failed(reader.readType(type))) return {};
  const auto value = reader.readAPFloatWithKnownSemantics(type.getFloatSemantics());
  if (failed(value)) return {};
  return mlir::FloatAttr::get(type, *value);
}

Attribute read_integer(Reader& reader) {
  mlir::Type type;
  if (failed(reader.readType(type))) return {};
  if (!type.isIntOrIndex()) {
    reader.emitError() << "an integer attribute of another type";
    return {};
  }
  const auto value =
      reader.readAPIntWithKnownWidth(type.isIndex() ? 64 : type.getIntOrFloatBitWidth());
  if (failed(value)) return {};
  return mlir::IntegerAttr::get(type, *value);
}

// The operand's number, then the result's, where there are several.
Attribute read_alias(Reader& reader, MLIRContext* context) {
  llvm::SmallVector<std::int64_t> output;
  llvm::SmallVector<std::int64_t> operand;
  std::int64_t index = 0;
  if (failed(reader.readSignedVarInts(output)) || failed(reader.readSignedVarInt(index)) ||
      failed(reader.readSignedVarInts(operand))) {
    return {};
  }
  llvm::SmallVector<std::int64_t> numbers{index};
  numbers.append(output);
  return mlir::DenseI64ArrayAttr::get(context, numbers);
}

// Truth values are packed, least significant bit first; a lone 0xff is a splat of true, and a lone
// zero for more than eight elements one of false.
Attribute unpack_bits(Reader& reader, mlir::RankedTensorType type, llvm::ArrayRef<char> blob) {
  const auto elements = static_cast<std::uint64_t>(type.getNumElements());
  if (blob.size() == 1 && (blob[0] == '\xff' || (blob[0] == 0 && elements > 8))) {
    return mlir::DenseElementsAttr::get(type, blob[0] != 0);
  }
  if (blob.size() != (elements + 7) / 8) {
    reader.emitError() << "a constant of " << elements << " bits in " << blob.size() << " bytes";
    return {};
  }
  llvm::SmallVector<bool> bits;
  for (std::uint64_t i = 0; i < elements; ++i) {
    bits.push_back(((static_cast<unsigned char>(blob[i / 8]) >> (i % 8)) & 1U) != 0);
  }
  return mlir::DenseElementsAttr::get(type, llvm::ArrayRef<bool>(bits));
}

Attribute read_tensor(Reader& reader) {
  mlir::RankedTensorType type;
  llvm::ArrayRef<char> blob;
  bool splat = false;
  if (failed(reader.readType(type)) || failed(reader.readBlob(blob))) return {};
  const auto complex = mlir::dyn_cast<mlir::ComplexType>(type.getElementType());
  const mlir::Type element = complex ? complex.getElementType() : type.getElementType();
  if (!type.hasStaticShape() || !element.isIntOrIndexOrFloat()) {
    reader.emitError() << "a constant of a type that has no constants: " << type;
    return {};
  }
  if (type.getElementType().isInteger(1)) return unpack_bits(reader, type, blob);
  if (!mlir::DenseElementsAttr::isValidRawBuffer(type, blob, splat)) {
    reader.emitError() << "a constant of type " << type << " in " << blob.size() << " bytes";
    return {};
  }
  return mlir::DenseElementsAttr::getFromRawBuffer(type, blob);
}

Attribute read_type(Reader& reader) {
  mlir::Type type;
  if (failed(reader.readType(type))) return {};
  return mlir::TypeAttr::get(type);
}

Attribute read_bounds(Reader& reader, MLIRContext* context) {
  llvm::SmallVector<std::int64_t> sizes;
  if (failed(reader.readSignedVarInts(sizes))) return {};
  return mlir::DenseI64ArrayAttr::get(context, sizes);
}

Attribute read_accuracy(Reader& reader) {
  std::int64_t ulps = 0;
  Attribute mode;
  const auto absolute = reader.readAPFloatWithKnownSemantics(llvm::APFloat::IEEEdouble());
  if (failed(absolute)) return {};
  const auto relative = reader.readAPFloatWithKnownSemantics(llvm::APFloat::IEEEdouble());
  if (failed(relative) || failed(reader.readSignedVarInt(ulps)) ||
      failed(reader.readAttribute(mode))) {
    return {};
  }
  return mode;
}

}  // namespace

mlir::Attribute read_vhlo_attribute(Reader& reader, MLIRContext* context) {
  std::uint64_t code = 0;
  std::uint64_t value = 0;
  llvm::StringRef text;
  if (failed(reader.readVarInt(code))) return {};
  if (!enumerators(code).empty()) return read_enumeration(reader, context, code);
  switch (code) {
    case array: return read_array(reader, context);
    case boolean:
      if (failed(reader.readVarInt(value))) return {};
      return mlir::BoolAttr::get(context, value != 0);
    case dictionary: return read_dictionary(reader, context);
    case floating: return read_float(reader);
    case integer: return read_integer(reader);
    case alias: return read_alias(reader, context);
    case string:
      if (failed(reader.readString(text))) return {};
      return mlir::StringAttr::get(context, text);
    case tensor: return read_tensor(reader);
    case type: return read_type(reader);
    case bounds: return read_bounds(reader, context);
    case accuracy: return read_accuracy(reader);
    default: reader.emitError() << "VHLO attribute code " << code << " is not supported"; return {};
  }
}

}  // namespace tandem::compiler
