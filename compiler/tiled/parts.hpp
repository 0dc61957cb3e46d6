// Into how many parts a copy, or what is done beside one, is cut.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tandem::compiler {

// How long a part is, where there are at most four of at least `least` each: a multiple of
// `multiple`, which may be more than `extent`.
inline std::int64_t length_of_part(std::int64_t extent, std::int64_t least, std::int64_t multiple) {
  constexpr std::int64_t most_parts = 4;
  const std::int64_t part = std::max((extent + most_parts - 1) / most_parts, least);
  return (part + multiple - 1) / multiple * multiple;
}

}  // namespace tandem::compiler
