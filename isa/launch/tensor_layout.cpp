#include "isa/launch/tensor_layout.hpp"

#include <algorithm>

namespace tandem {

std::optional<TensorLayout> tensor_layout(ElementType type,
                                          std::span<const std::int64_t> dimensions,
                                          std::uint64_t most) {
  if (std::any_of(dimensions.begin(), dimensions.end(), [](auto size) { return size < 0; })) {
    return std::nullopt;
  }
  const bool empty = std::count(dimensions.begin(), dimensions.end(), 0) != 0;
  unsigned __int128 rows = empty ? 0 : 1;
  unsigned __int128 row_bytes = element_bytes(type);
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

}  // namespace tandem
