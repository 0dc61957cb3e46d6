// Arrays in the memory of the host: strides in bytes, one per dimension, possibly negative or zero.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "python/pjrt/arrays/element_types.hpp"

namespace tandem::pjrt {

using Strides = std::vector<std::int64_t>;

Strides dense_strides(const Shape& shape);
// Whether the elements are all of dense_bytes() from the first one on, in any order of the
// dimensions.
bool is_compact(const Shape& shape, const Strides& strides);
// Strides with which the same elements are met as with dense ones, apart from dimensions of one
// element and arrays of none.
bool is_dense(const Shape& shape, const Strides& strides);
// The layout given by the interface; nullptr and 0 dimensions mean dense. Throws Failure for tiles
// and for a layout of another rank.
Strides strides_of(const Shape& shape, const PJRT_Buffer_MemoryLayout* layout);
Strides strides_of(const Shape& shape, const std::int64_t* byte_strides, std::size_t count);

// `host` is the first element, which negative strides place after others.
void gather(const Shape& shape, const Strides& strides, const std::uint8_t* host,
            std::span<std::uint8_t> dense);
void scatter(const Shape& shape, const Strides& strides, std::span<const std::uint8_t> dense,
             std::uint8_t* host);

}  // namespace tandem::pjrt
