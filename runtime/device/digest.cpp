#include "runtime/device/digest.hpp"

#include <fmt/format.h>
#include <libdeflate.h>

namespace tandem::runtime {

void Digest::add(const void* data, std::size_t bytes) {
  sum_ = libdeflate_crc32(sum_, data, bytes);
  bytes_ += bytes;
}

std::string Digest::text() const { return fmt::format("{:08x}/{}", sum_, bytes_); }

}  // namespace tandem::runtime
