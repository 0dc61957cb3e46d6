#include "runtime/device/snapshot_file.hpp"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "isa/archive/messages.hpp"

namespace tandem::runtime {

namespace message = archiving::message;

namespace {

constexpr std::array<char, 8> magic{'T', 'A', 'N', 'D', 'E', 'M', 'S', 'N'};
constexpr std::size_t format_at = 8;
constexpr std::size_t checksum_at = 12;
constexpr std::size_t size_at = 16;
constexpr std::size_t header_bytes = 24;

template <typename T>
T read_at(std::span<const std::uint8_t> file, std::size_t offset) {
  T value{};
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

template <typename T>
void write_at(std::span<std::uint8_t> file, std::size_t offset, T value) {
  std::memcpy(file.data() + offset, &value, sizeof value);
}

std::uint32_t checksum(std::span<const std::uint8_t> file) {
  const std::uint32_t before = libdeflate_crc32(0, file.data(), checksum_at);
  return libdeflate_crc32(before, file.data() + size_at, file.size() - size_at);
}

void check_whole(std::span<const std::uint8_t> file) {
  const std::size_t known = std::min(file.size(), magic.size());
  if (known == 0 || std::memcmp(file.data(), magic.data(), known) != 0) {
    throw SnapshotError(message::no_snapshot);
  }
  if (file.size() < header_bytes) {
    throw SnapshotError(fmt::format(message::truncated, file.size(), "more"));
  }
  const auto format = read_at<std::uint32_t>(file, format_at);
  if (format != snapshot_format) {
    throw SnapshotError(fmt::format(message::other_format, format, snapshot_format));
  }
  const auto size = read_at<std::uint64_t>(file, size_at);
  if (size != file.size()) {
    throw SnapshotError(fmt::format(message::truncated, file.size(), size));
  }
  if (read_at<std::uint32_t>(file, checksum_at) != checksum(file)) {
    throw SnapshotError(message::bad_checksum);
  }
}

void check_identity(const Identity& got, const Identity& expected) {
  for (const IdentityEntry& entry : expected) {
    const auto same = std::ranges::find(got, entry.what, &IdentityEntry::what);
    if (same == got.end()) throw SnapshotError(fmt::format(message::foreign_kind, entry.what));
    if (same->value != entry.value) {
      throw SnapshotError(fmt::format(message::foreign, entry.what, same->value, entry.value));
    }
  }
}

}  // namespace

std::vector<std::uint8_t> begin_snapshot(Identity identity) {
  std::vector<std::uint8_t> file(header_bytes);
  std::ranges::copy(magic, file.begin());
  write_at(file, format_at, snapshot_format);
  ArchiveWriter archive(file);
  archive(identity);
  return file;
}

void seal_snapshot(std::vector<std::uint8_t>& file) {
  write_at(std::span(file), size_at, static_cast<std::uint64_t>(file.size()));
  write_at(std::span(file), checksum_at, checksum(file));
}

std::span<const std::uint8_t> open_snapshot(std::span<const std::uint8_t> file,
                                            const Identity& expected) {
  check_whole(file);
  ArchiveReader archive(file.subspan(header_bytes));
  Identity identity;
  archive(identity);
  check_identity(identity, expected);
  return archive.take(archive.left());
}

}  // namespace tandem::runtime
