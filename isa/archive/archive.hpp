// State as bytes and back, for snapshots that outlive the process
// (runtime/device/snapshot_file.hpp).
//
// A class declares its state once, for both directions:
//
//   template <typename A> void archive(A& a) { a(cycle_, queue_, fixed(rows_)); }
//
// Trivially copyable values are copied byte by byte, including padding: only the same build reads
// the result, which the file's header ensures. They must not contain pointers, except those that
// their owner sets again. Reading never goes beyond the bytes, and allocates no more memory than
// they can fill; errors throw SnapshotError.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tandem {

// A reason for people, from isa/archive/messages.def.
struct SnapshotError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws SnapshotError: `what` cannot have this value.
[[noreturn]] void refuse_value(std::uint64_t value, std::string_view what);

// A vector whose size is determined by the machine: another size is refused.
template <typename Vector>
struct Fixed {
  Vector& vector;
};
template <typename Vector>
Fixed<Vector> fixed(Vector& vector) {
  return {vector};
}

class ArchiveWriter {
 public:
  static constexpr bool reads = false;

  // Appends.
  explicit ArchiveWriter(std::vector<std::uint8_t>& bytes) : bytes_(bytes) {}

  void bytes(const void* data, std::size_t count) {
    const auto* const first = static_cast<const std::uint8_t*>(data);
    bytes_.insert(bytes_.end(), first, first + count);
  }
  template <typename... Values>
  void operator()(Values&&... values);

 private:
  std::vector<std::uint8_t>& bytes_;
};

class ArchiveReader {
 public:
  static constexpr bool reads = true;

  explicit ArchiveReader(std::span<const std::uint8_t> bytes) : left_(bytes) {}

  void bytes(void* data, std::size_t count) {
    const auto from = take(count);
    if (count != 0) std::memcpy(data, from.data(), count);
  }
  // The next bytes, in place.
  std::span<const std::uint8_t> take(std::size_t count);
  template <typename... Values>
  void operator()(Values&&... values);

  // A count of items that take at least this many bytes each.
  std::size_t count(std::size_t least_bytes);
  // To be called after the last value.
  void finish() const;
  [[nodiscard]] std::size_t left() const { return left_.size(); }

 private:
  std::span<const std::uint8_t> left_;
};

namespace archiving {

[[noreturn]] void refuse_count(std::size_t got, std::size_t wanted);

template <typename T>
concept Archived = requires(T& value, ArchiveWriter& writer) {
  value.archive(writer);
};

template <typename T>
concept Plain = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;

// The minimum number of bytes of an element.
template <typename T>
constexpr std::size_t least_bytes = Plain<T> ? sizeof(T) : 1;

template <typename A>
std::size_t count(A& a, std::size_t size, std::size_t least) {
  if constexpr (A::reads) {
    return a.count(least);
  } else {
    const auto number = static_cast<std::uint64_t>(size);
    a.bytes(&number, sizeof number);
    return size;
  }
}

template <typename A, typename T>
void elements(A& a, T& values) {
  using Element = typename T::value_type;
  if constexpr (Plain<Element> && requires { values.data(); }) {
    a.bytes(values.data(), values.size() * sizeof(Element));
  } else {
    for (Element& value : values) a(value);
  }
}

template <typename A>
void value(A& a, bool& flag) {
  auto byte = static_cast<std::uint8_t>(flag);
  a.bytes(&byte, 1);
  if constexpr (A::reads) {
    if (byte > 1) refuse_value(byte, "a truth value");
    flag = byte != 0;
  }
}
template <typename A, Plain T>
requires(!Archived<T>) void value(A& a, T& plain) { a.bytes(&plain, sizeof plain); }
template <typename A, Archived T>
void value(A& a, T& object) {
  object.archive(a);
}
template <typename A, typename T, std::size_t size>
requires(!Plain<std::array<T, size>>) void value(A& a, std::array<T, size>& array) {
  elements(a, array);
}
template <typename A, typename T>
void value(A& a, std::vector<T>& vector) {
  vector.resize(count(a, vector.size(), least_bytes<T>));
  elements(a, vector);
}
template <typename A, typename T>
void value(A& a, std::deque<T>& queue) {
  queue.resize(count(a, queue.size(), least_bytes<T>));
  elements(a, queue);
}
template <typename A>
void value(A& a, std::string& text) {
  text.resize(count(a, text.size(), 1));
  a.bytes(text.data(), text.size());
}
template <typename A, typename T>
void value(A& a, std::optional<T>& maybe) {
  bool there = maybe.has_value();
  a(there);
  if constexpr (A::reads) {
    maybe.reset();
    if (there) maybe.emplace();
  }
  if (there) a(*maybe);
}
template <typename A, typename Key, typename T>
void value(A& a, std::map<Key, T>& map) {
  std::size_t left = count(a, map.size(), least_bytes<Key>);
  if constexpr (A::reads) {
    for (map.clear(); left != 0; --left) {
      Key key{};
      a(key);
      a(map[key]);
    }
  } else {
    for (auto& [key, mapped] : map) {
      Key copy = key;
      a(copy, mapped);
    }
  }
}
template <typename A, typename Vector>
void value(A& a, Fixed<Vector>& fixed) {
  const std::size_t got = count(a, fixed.vector.size(), 0);
  if (got != fixed.vector.size()) refuse_count(got, fixed.vector.size());
  elements(a, fixed.vector);
}

}  // namespace archiving

template <typename... Values>
void ArchiveWriter::operator()(Values&&... values) {
  (archiving::value(*this, values), ...);
}
template <typename... Values>
void ArchiveReader::operator()(Values&&... values) {
  (archiving::value(*this, values), ...);
}

}  // namespace tandem
