#include "python/pjrt/core/digest.hpp"

#include <fmt/format.h>
#include <sha2.h>

namespace tandem::pjrt {

static_assert(SHA256_DIGEST_LENGTH == std::tuple_size_v<Digest>);

Digest sha256(std::initializer_list<std::string_view> pieces) {
  SHA2_CTX context;
  SHA256Init(&context);
  for (const std::string_view piece : pieces) {
    SHA256Update(&context, reinterpret_cast<const std::uint8_t*>(piece.data()), piece.size());
  }
  Digest digest{};
  SHA256Final(digest.data(), &context);
  return digest;
}

std::string digits_of(const Digest& digest) {
  std::string digits;
  for (const std::uint8_t byte : digest) digits += fmt::format("{:02x}", byte);
  return digits;
}

}  // namespace tandem::pjrt
