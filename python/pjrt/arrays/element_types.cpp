#include "python/pjrt/arrays/element_types.hpp"

#include <array>
#include <limits>
#include <string>

#include "python/pjrt/core/status.hpp"

namespace tandem::pjrt {
namespace {

struct Row {
  PJRT_Buffer_Type buffer;
  ElementType element;
};

constexpr std::array rows{
    Row{PJRT_Buffer_Type_F32, ElementType::f32},
    Row{PJRT_Buffer_Type_BF16, ElementType::bf16},
    Row{PJRT_Buffer_Type_F16, ElementType::f16},
    Row{PJRT_Buffer_Type_S32, ElementType::s32},
    Row{PJRT_Buffer_Type_S16, ElementType::s16},
    Row{PJRT_Buffer_Type_S8, ElementType::s8},
    Row{PJRT_Buffer_Type_U32, ElementType::u32},
    Row{PJRT_Buffer_Type_U16, ElementType::u16},
    Row{PJRT_Buffer_Type_U8, ElementType::u8},
    Row{PJRT_Buffer_Type_PRED, ElementType::i1},
    Row{PJRT_Buffer_Type_C64, ElementType::c64},
    Row{PJRT_Buffer_Type_S4, ElementType::s4},
    Row{PJRT_Buffer_Type_U4, ElementType::u4},
    Row{PJRT_Buffer_Type_S2, ElementType::s2},
    Row{PJRT_Buffer_Type_U2, ElementType::u2},
    Row{PJRT_Buffer_Type_F8E4M3FN, ElementType::f8e4m3fn},
    Row{PJRT_Buffer_Type_F8E5M2, ElementType::f8e5m2},
    Row{PJRT_Buffer_Type_F8E4M3B11FNUZ, ElementType::f8e4m3b11fnuz},
    Row{PJRT_Buffer_Type_F8E4M3FNUZ, ElementType::f8e4m3fnuz},
    Row{PJRT_Buffer_Type_F8E5M2FNUZ, ElementType::f8e5m2fnuz},
    Row{PJRT_Buffer_Type_F8E4M3, ElementType::f8e4m3},
    Row{PJRT_Buffer_Type_F8E3M4, ElementType::f8e3m4},
    Row{PJRT_Buffer_Type_F8E8M0FNU, ElementType::f8e8m0fnu},
    Row{PJRT_Buffer_Type_F4E2M1FN, ElementType::f4e2m1fn},
};

// The others, as JAX calls them.
std::string foreign_name(PJRT_Buffer_Type type) {
  switch (static_cast<int>(type)) {
    case PJRT_Buffer_Type_F64: return "float64";
    case PJRT_Buffer_Type_S64: return "int64";
    case PJRT_Buffer_Type_U64: return "uint64";
    case PJRT_Buffer_Type_C128: return "complex128";
    case PJRT_Buffer_Type_TOKEN: return "token";
    default: return "number " + std::to_string(static_cast<int>(type)) + " of PJRT";
  }
}

}  // namespace

ElementType element_type_of(PJRT_Buffer_Type type) {
  for (const Row& row : rows) {
    if (row.buffer == type) return row.element;
  }
  fail(PJRT_Error_Code_UNIMPLEMENTED,
       "unimplemented: element type " + foreign_name(type) +
           "; this machine has float32, bfloat16, float16, integers of "
           "32 bits and less, bool, complex64 and floats of 8 and 4 bits");
}

PJRT_Buffer_Type buffer_type_of(ElementType type) {
  for (const Row& row : rows) {
    if (row.element == type) return row.buffer;
  }
  fail(PJRT_Error_Code_INTERNAL, "internal: an element type that PJRT has not");
}

std::uint64_t dense_bytes(const Shape& shape) {
  std::uint64_t bytes = element_bytes(shape.type);
  for (const std::int64_t dimension : shape.dimensions) {
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(dimension), &bytes)) {
      fail(PJRT_Error_Code_RESOURCE_EXHAUSTED, "an array of more than 2^64 bytes");
    }
  }
  return bytes;
}

Shape shape_of(PJRT_Buffer_Type type, const std::int64_t* dimensions, std::size_t rank) {
  Shape shape{element_type_of(type), {dimensions, dimensions + rank}};
  for (const std::int64_t dimension : shape.dimensions) {
    if (dimension < 0) fail(PJRT_Error_Code_INVALID_ARGUMENT, "a dimension below zero");
  }
  (void)dense_bytes(shape);
  return shape;
}

}  // namespace tandem::pjrt
