// The layout of a tensor in HBM, and conversion to and from packed elements on a host.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isa/image.hpp"

namespace tandem {

// Row-major, plane by plane; rows of the last dimension start `pitch` bytes apart.
struct TensorLayout {
  std::uint64_t rows = 1;       // of all planes; 0 if some dimension is 0
  std::uint64_t row_bytes = 0;  // without padding
  std::uint32_t pitch = 0;      // row_bytes rounded up to 4

  [[nodiscard]] std::uint64_t bytes() const { return rows * pitch; }             // in HBM
  [[nodiscard]] std::uint64_t packed_bytes() const { return rows * row_bytes; }  // at the host
};

// nullopt when it has more than `most` bytes in HBM, a row of 4 GiB or a negative dimension.
std::optional<TensorLayout> tensor_layout(ElementType type,
                                          std::span<const std::int64_t> dimensions,
                                          std::uint64_t most);

// Complex elements on the host, with interleaved real and imaginary parts, to planes and back. Both
// spans are of the same size.
void to_planes(std::span<const std::uint8_t> packed, std::span<std::uint8_t> planes);
void from_planes(std::span<const std::uint8_t> planes, std::span<std::uint8_t> packed);

}  // namespace tandem
