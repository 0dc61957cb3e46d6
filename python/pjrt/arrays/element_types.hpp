// Element types by the numbers of the interface and of the machine.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "isa/image.hpp"
#include "python/pjrt/core/pjrt_header.hpp"

namespace tandem::pjrt {

// Throws Failure (UNIMPLEMENTED) for a type that the machine does not have.
ElementType element_type_of(PJRT_Buffer_Type type);
PJRT_Buffer_Type buffer_type_of(ElementType type);

struct Shape {
  ElementType type = ElementType::f32;
  std::vector<std::int64_t> dimensions;
  bool operator==(const Shape&) const = default;
};

// Bytes of the elements, without padding.
std::uint64_t dense_bytes(const Shape& shape);
// Checks and copies what a caller gave. Throws Failure.
Shape shape_of(PJRT_Buffer_Type type, const std::int64_t* dimensions, std::size_t rank);

}  // namespace tandem::pjrt
