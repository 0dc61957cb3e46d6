#include "isa/archive/archive.hpp"

#include <fmt/format.h>

#include "isa/archive/messages.hpp"

namespace tandem {

namespace message = archiving::message;

std::span<const std::uint8_t> ArchiveReader::take(std::size_t count) {
  if (count > left_.size()) throw SnapshotError(message::state_ends);
  const auto taken = left_.first(count);
  left_ = left_.subspan(count);
  return taken;
}

std::size_t ArchiveReader::count(std::size_t least_bytes) {
  std::uint64_t number = 0;
  bytes(&number, sizeof number);
  if (least_bytes != 0 && number > left_.size() / least_bytes) {
    throw SnapshotError(message::state_ends);
  }
  return static_cast<std::size_t>(number);
}

void ArchiveReader::finish() const {
  if (!left_.empty()) throw SnapshotError(fmt::format(message::state_goes_on, left_.size()));
}

void archiving::refuse_count(std::size_t got, std::size_t wanted) {
  throw SnapshotError(fmt::format(message::bad_count, got, wanted));
}

void refuse_value(std::uint64_t value, std::string_view what) {
  throw SnapshotError(fmt::format(message::bad_value, value, what));
}

}  // namespace tandem
