#include "isa/image.hpp"

namespace tandem {

std::uint32_t element_bytes(ElementType type) {
  switch (type) {
    case ElementType::f32: return 4;
    case ElementType::bf16: return 2;
    case ElementType::s32: return 4;
    case ElementType::s8: return 1;
  }
  __builtin_unreachable();
}

std::string_view element_name(ElementType type) {
  switch (type) {
    case ElementType::f32: return "f32";
    case ElementType::bf16: return "bf16";
    case ElementType::s32: return "s32";
    case ElementType::s8: return "s8";
  }
  __builtin_unreachable();
}

}  // namespace tandem
