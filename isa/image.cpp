#include "isa/image.hpp"

#include <algorithm>
#include <iterator>

namespace tandem {
namespace {

struct Element {
  ElementType type;
  std::string_view name;
  std::string_view numpy;
  std::uint32_t bytes;
};

constexpr Element elements[] = {
#define ELEMENT(name, code, bytes, numpy, meaning) {ElementType::name, #name, numpy, bytes},
#include "isa/elements.def"
#undef ELEMENT
};

}  // namespace

std::uint32_t element_bytes(ElementType type) {
  return elements[static_cast<std::size_t>(type)].bytes;
}

std::uint32_t planes_of(ElementType type) { return type == ElementType::c64 ? 2 : 1; }

std::uint32_t plane_element_bytes(ElementType type) {
  return element_bytes(type) / planes_of(type);
}

std::string_view element_name(ElementType type) {
  return elements[static_cast<std::size_t>(type)].name;
}

std::string_view numpy_type(ElementType type) {
  return elements[static_cast<std::size_t>(type)].numpy;
}

std::optional<ElementType> find_element(std::string_view name) {
  const auto* const found = std::find_if(std::begin(elements), std::end(elements),
                                         [name](const Element& row) { return row.name == name; });
  if (found == std::end(elements)) return std::nullopt;
  return found->type;
}

std::string element_names() {
  std::string names;
  for (const Element& row : elements) {
    if (!names.empty()) names += ", ";
    names += row.name;
  }
  return names;
}

bool may_share(const Tensor& output, const Tensor& other) {
  return output.type == other.type && output.dimensions == other.dimensions &&
         output.dimension_names == other.dimension_names;
}

}  // namespace tandem
