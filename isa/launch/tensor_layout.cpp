#include "isa/launch/tensor_layout.hpp"

#include <algorithm>
#include <cstring>

namespace tandem {

std::optional<TensorLayout> tensor_layout(ElementType type,
                                          std::span<const std::int64_t> dimensions,
                                          std::uint64_t most) {
  if (std::any_of(dimensions.begin(), dimensions.end(), [](auto size) { return size < 0; })) {
    return std::nullopt;
  }
  const bool empty = std::count(dimensions.begin(), dimensions.end(), 0) != 0;
  unsigned __int128 rows = empty ? 0 : planes_of(type);
  unsigned __int128 row_bytes = plane_element_bytes(type);
  if (!dimensions.empty()) {
    row_bytes *= static_cast<std::uint64_t>(dimensions.back());
    for (const std::int64_t size : dimensions.first(dimensions.size() - 1)) {
      rows *= static_cast<std::uint64_t>(size);
      if (rows > most) return std::nullopt;
    }
  }
  const unsigned __int128 pitch = (row_bytes + 3) / 4 * 4;
  if (pitch > 0xffffffffU || rows * pitch > most) return std::nullopt;
  return TensorLayout{static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(row_bytes),
                      static_cast<std::uint32_t>(pitch)};
}

namespace {

constexpr std::size_t part_bytes = 4;

}  // namespace

void to_planes(std::span<const std::uint8_t> packed, std::span<std::uint8_t> planes) {
  const std::size_t half = packed.size() / 2;
  for (std::size_t at = 0; at < half; at += part_bytes) {
    std::memcpy(&planes[at], &packed[2 * at], part_bytes);
    std::memcpy(&planes[half + at], &packed[2 * at + part_bytes], part_bytes);
  }
}

void from_planes(std::span<const std::uint8_t> planes, std::span<std::uint8_t> packed) {
  const std::size_t half = packed.size() / 2;
  for (std::size_t at = 0; at < half; at += part_bytes) {
    std::memcpy(&packed[2 * at], &planes[at], part_bytes);
    std::memcpy(&packed[2 * at + part_bytes], &planes[half + at], part_bytes);
  }
}

}  // namespace tandem
