#include "python/pjrt/core/pieces.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>

#include "python/pjrt/core/status.hpp"

namespace tandem::pjrt {

void append_piece(std::string& bytes, std::string_view piece) {
  const std::uint64_t size = piece.size();
  bytes.append(reinterpret_cast<const char*>(&size), sizeof(size));
  bytes += piece;
}

std::string_view take_piece(std::string_view& bytes, std::string_view what) {
  std::uint64_t size = 0;
  if (bytes.size() >= sizeof(size)) {
    std::memcpy(&size, bytes.data(), sizeof(size));
    bytes.remove_prefix(sizeof(size));
    if (size <= bytes.size()) {
      const std::string_view piece = bytes.substr(0, size);
      bytes.remove_prefix(size);
      return piece;
    }
  }
  fail(PJRT_Error_Code_INVALID_ARGUMENT, fmt::format("{} that is cut off", what));
}

}  // namespace tandem::pjrt
